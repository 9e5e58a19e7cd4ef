// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Names of devices that a pattern like "mlx5_%d" makes. */

#include <linux/kernel.h>
#include <linux/string.h>

#include "device.h"

static const char *number_of(const char *pattern)
{
	return strstr(pattern, "%d");
}

/**
 * rdma_name_check_pattern - tell whether a pattern has one number
 * @pattern: the pattern
 *
 * It is about to be used as a format, so that nothing else may stand in it.
 *
 * Return: 0, or -EINVAL unless there is exactly one "%", that of "%d".
 */
int rdma_name_check_pattern(const char *pattern)
{
	const char *percent = strchr(pattern, '%');

	if (!percent || percent != number_of(pattern) || strchr(percent + 1, '%'))
		return -EINVAL;
	return 0;
}

/**
 * rdma_name_number - the number that a pattern was filled in with
 * @pattern: a checked pattern
 * @name: a device's name
 *
 * Return: the number for which @pattern prints as @name, or -ENOENT: "mlx5_07" and "mlx5_+7" are
 * not in the way of "mlx5_7".
 */
int rdma_name_number(const char *pattern, const char *name)
{
	const char *number = number_of(pattern);
	size_t prefix = number - pattern;
	char digits[12];
	unsigned int value;
	size_t len;

	if (strncmp(name, pattern, prefix))
		return -ENOENT;
	name += prefix;
	len = strspn(name, "0123456789");
	if (strcmp(name + len, number + 2))
		return -ENOENT;
	if (!len || len >= sizeof(digits) || (name[0] == '0' && len > 1))
		return -ENOENT;

	memcpy(digits, name, len);
	digits[len] = '\0';
	if (kstrtouint(digits, 10, &value) || value >= INT_MAX)
		return -ENOENT;
	return value;
}
