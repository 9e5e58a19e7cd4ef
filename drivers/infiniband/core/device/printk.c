// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Messages about a device: "mlx5_core 0000:01:00.0 mlx5_0: ...". */

#include <linux/dev_printk.h>
#include <linux/printk.h>

#include "device.h"

static void print(const char *level, const struct ib_device *device, const char *format,
		  va_list *args)
{
	struct va_format vaf = { .fmt = format, .va = args };
	const struct device *parent;

	if (!device) {
		_printk("%s(NULL ib_device): %pV", level, &vaf);
		return;
	}
	parent = device->dev.parent;
	if (!parent) {
		_printk("%s%s: %pV", level, dev_name(&device->dev), &vaf);
		return;
	}
	dev_printk_emit(level[1] - '0', parent, "%s %s %s: %pV", dev_driver_string(parent),
			dev_name(parent), dev_name(&device->dev), &vaf);
}

/**
 * ibdev_printk - print a message about a device
 * @level: KERN_ERR ...
 * @device: the device; may be NULL
 * @format: as of printk()
 *
 * Context: Any.
 */
void ibdev_printk(const char *level, const struct ib_device *device, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(level, device, format, &args);
	va_end(args);
}
EXPORT_SYMBOL(ibdev_printk);

/* The same, with the level in the name. */
#define DEFINE_IBDEV_LEVEL(name, level) \
void name(const struct ib_device *device, const char *format, ...) \
{ \
	va_list args; \
	va_start(args, format); \
	print(level, device, format, &args); \
	va_end(args); \
}

DEFINE_IBDEV_LEVEL(ibdev_emerg, KERN_EMERG)
EXPORT_SYMBOL(ibdev_emerg);

DEFINE_IBDEV_LEVEL(ibdev_alert, KERN_ALERT)
EXPORT_SYMBOL(ibdev_alert);

DEFINE_IBDEV_LEVEL(ibdev_crit, KERN_CRIT)
EXPORT_SYMBOL(ibdev_crit);

DEFINE_IBDEV_LEVEL(ibdev_err, KERN_ERR)
EXPORT_SYMBOL(ibdev_err);

DEFINE_IBDEV_LEVEL(ibdev_warn, KERN_WARNING)
EXPORT_SYMBOL(ibdev_warn);

DEFINE_IBDEV_LEVEL(ibdev_notice, KERN_NOTICE)
EXPORT_SYMBOL(ibdev_notice);

DEFINE_IBDEV_LEVEL(ibdev_info, KERN_INFO)
EXPORT_SYMBOL(ibdev_info);
