// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Module ib_mad: its parameters, its three clients of ib_core. */

#include <linux/minmax.h>
#include <linux/module.h>

#include "mad.h"
#include "sa/sa.h"

MODULE_DESCRIPTION("InfiniBand management datagrams and subnet-administration client");
MODULE_LICENSE("Dual BSD/GPL");

#define QUEUE_MIN	64
#define QUEUE_MAX	8192

int mad_send_queue_size = 128;
module_param_named(send_queue_size, mad_send_queue_size, int, 0444);
MODULE_PARM_DESC(send_queue_size, "Work requests on the send queue of each special QP, 64 to 8192");

int mad_recv_queue_size = 512;
module_param_named(recv_queue_size, mad_recv_queue_size, int, 0444);
MODULE_PARM_DESC(recv_queue_size,
		 "Work requests on the receive queue of each special QP, 64 to 8192");

/* A device's clients are added in this order: the later ones use the earlier ones' ports. */
static int __init mad_init(void)
{
	int ret;

	mad_send_queue_size = clamp(mad_send_queue_size, QUEUE_MIN, QUEUE_MAX);
	mad_recv_queue_size = clamp(mad_recv_queue_size, QUEUE_MIN, QUEUE_MAX);

	ret = ib_register_client(&mad_client);
	if (ret)
		return ret;
	ret = sa_init();
	if (ret)
		goto unregister_mad;
	ret = mcast_init();
	if (ret)
		goto exit_sa;
	return 0;

exit_sa:
	sa_exit();
unregister_mad:
	ib_unregister_client(&mad_client);
	return ret;
}

static void __exit mad_exit(void)
{
	mcast_exit();
	sa_exit();
	ib_unregister_client(&mad_client);
}

module_init(mad_init);
module_exit(mad_exit);
