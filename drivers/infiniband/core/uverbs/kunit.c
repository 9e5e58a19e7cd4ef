// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What uverbs_kunit.ko has beside the suites, each of which stands in its part's folder.
 */

#include <linux/module.h>

MODULE_DESCRIPTION("KUnit suites of ib_uverbs");
MODULE_LICENSE("Dual BSD/GPL");
