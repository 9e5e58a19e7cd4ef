// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What mlx5_kunit.ko has beside the suites, each of which stands in its part's folder.
 */

#include <linux/module.h>

MODULE_DESCRIPTION("KUnit suites of mlx5_ib");
MODULE_LICENSE("Dual BSD/GPL");
