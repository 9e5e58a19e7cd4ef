// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <linux/module.h>
#include "mlx5.h"
MODULE_LICENSE("Dual BSD/GPL");
