// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The adapter as a whole: enabling, starting, its interface version and its name.
 */
#include "connectx5/device.h"
#include "connectx5/limits.h"
#include "connectx5/field.h"

#define ISSI_AT 10
#define CURRENT_ISSI_AT 10
#define SUPPORTED_ISSI_AT 108
#define SUPPORTED_ISSI (1u << 1)

#define VENDOR_ID_AT 41
#define MELLANOX_OUI 0x0002c9
#define PSID_AT 256
#define PSID "MT_0000000008"

#define RESERVED_LKEY_AT 12
#define NULL_MKEY_AT 16
#define RESERVED_LKEY 0x100 /* index 1, which is never handed out */

enum cx5_status cx5_enable_hca(struct connectx5 *dev, struct cx5_command *cmd)
{
	(void)cmd;
	if (dev->state != CX5_DISABLED)
		return CX5_BAD_SYS_STATE;
	dev->state = CX5_ENABLED;
	return CX5_OK;
}

enum cx5_status cx5_disable_hca(struct connectx5 *dev, struct cx5_command *cmd)
{
	(void)cmd;
	cx5_forget_objects(dev);
	dev->state = CX5_DISABLED;
	return CX5_OK;
}

enum cx5_status cx5_init_hca(struct connectx5 *dev, struct cx5_command *cmd)
{
	(void)cmd;
	if (dev->state != CX5_ENABLED)
		return CX5_BAD_SYS_STATE;
	dev->hca.big_endian_atomics = !dev->host_endian_atomics;
	dev->state = CX5_RUNNING;
	return CX5_OK;
}

enum cx5_status cx5_teardown_hca(struct connectx5 *dev, struct cx5_command *cmd)
{
	(void)cmd;
	cx5_forget_objects(dev);
	dev->state = CX5_ENABLED;
	return CX5_OK;
}

enum cx5_status cx5_query_issi(struct connectx5 *dev, struct cx5_command *cmd)
{
	put_be16(cmd->out + CURRENT_ISSI_AT, dev->issi);
	put_be32(cmd->out + SUPPORTED_ISSI_AT, SUPPORTED_ISSI);
	return CX5_OK;
}

enum cx5_status cx5_set_issi(struct connectx5 *dev, struct cx5_command *cmd)
{
	uint16_t issi = get_be16(cmd->in + ISSI_AT);

	if (issi >= 32 || !(SUPPORTED_ISSI >> issi & 1))
		return CX5_BAD_PARAM;
	dev->issi = issi;
	return CX5_OK;
}

enum cx5_status cx5_query_adapter(struct connectx5 *dev, struct cx5_command *cmd)
{
	(void)dev;
	put_be24(cmd->out + VENDOR_ID_AT, MELLANOX_OUI);
	memcpy(cmd->out + PSID_AT, PSID, sizeof(PSID) - 1);
	return CX5_OK;
}

/* There is one port, which nothing is aggregated with: all fields are 0. */
enum cx5_status cx5_query_lag(struct connectx5 *dev, struct cx5_command *cmd)
{
	(void)dev;
	(void)cmd;
	return CX5_OK;
}

enum cx5_status cx5_query_special_contexts(struct connectx5 *dev, struct cx5_command *cmd)
{
	(void)dev;
	put_be32(cmd->out + RESERVED_LKEY_AT, RESERVED_LKEY);
	put_be32(cmd->out + NULL_MKEY_AT, CX5_NULL_MKEY);
	return CX5_OK;
}
