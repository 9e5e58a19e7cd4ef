// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The folder hw_counters of a device or of a port: what the driver counts. */

#include <linux/jiffies.h>
#include <linux/slab.h>
#include <rdma/rdma_counter.h>

#include "device.h"

#define LIFESPAN_MAX_MS 10000

/* With stats->lock held. Drivers refresh all counters at once, or the one that's asked for. */
static int refresh(struct ib_device *device, u32 port_num, struct rdma_hw_stats *stats,
		   unsigned int index)
{
	int count;

	if (time_is_after_eq_jiffies(stats->timestamp + stats->lifespan))
		return 0;
	count = device->ops.get_hw_stats(device, stats, port_num, index);
	if (count < 0)
		return count;
	if (count == stats->num_counters)
		stats->timestamp = jiffies;
	return 0;
}

static ssize_t show_counter(struct ib_device *device, u32 port_num,
			    const struct rdma_hw_stat_file *file, char *buf)
{
	struct rdma_hw_stats *stats = file->stats;
	u64 value;
	int err;

	mutex_lock(&stats->lock);
	err = refresh(device, port_num, stats, file->index);
	if (!err) {
		value = stats->value[file->index];
		/* What QPs with a counter of their own had isn't in the port's. */
		if (port_num)
			value += rdma_counter_get_hwstat_value(device, port_num, file->index);
	}
	mutex_unlock(&stats->lock);
	return err ?: sysfs_emit(buf, "%llu\n", value);
}

static ssize_t show_lifespan(struct rdma_hw_stats *stats, char *buf)
{
	unsigned int lifespan_ms;

	mutex_lock(&stats->lock);
	lifespan_ms = jiffies_to_msecs(stats->lifespan);
	mutex_unlock(&stats->lock);
	return sysfs_emit(buf, "%u\n", lifespan_ms);
}

static ssize_t store_lifespan(struct rdma_hw_stats *stats, const char *buf, size_t count)
{
	int lifespan_ms;
	int err = kstrtoint(buf, 10, &lifespan_ms);

	if (err)
		return err;
	if (lifespan_ms < 0 || lifespan_ms > LIFESPAN_MAX_MS)
		return -EINVAL;
	mutex_lock(&stats->lock);
	stats->lifespan = msecs_to_jiffies(lifespan_ms);
	mutex_unlock(&stats->lock);
	return count;
}

static const struct rdma_hw_stat_file *port_file(struct ib_port_attribute *attr)
{
	return container_of(attr, struct rdma_hw_stat_file, port);
}

static ssize_t show_port_counter(struct ib_device *device, u32 port_num,
				 struct ib_port_attribute *attr, char *buf)
{
	return show_counter(device, port_num, port_file(attr), buf);
}

static ssize_t show_port_lifespan(struct ib_device *device, u32 port_num,
				  struct ib_port_attribute *attr, char *buf)
{
	return show_lifespan(port_file(attr)->stats, buf);
}

static ssize_t store_port_lifespan(struct ib_device *device, u32 port_num,
				   struct ib_port_attribute *attr, const char *buf, size_t count)
{
	return store_lifespan(port_file(attr)->stats, buf, count);
}

static const struct rdma_hw_stat_file *device_file(struct device_attribute *attr)
{
	return container_of(attr, struct rdma_hw_stat_file, device);
}

static ssize_t show_device_counter(struct device *dev, struct device_attribute *attr, char *buf)
{
	return show_counter(rdma_device_to_ibdev(dev), 0, device_file(attr), buf);
}

static ssize_t show_device_lifespan(struct device *dev, struct device_attribute *attr, char *buf)
{
	return show_lifespan(device_file(attr)->stats, buf);
}

static ssize_t store_device_lifespan(struct device *dev, struct device_attribute *attr,
				     const char *buf, size_t count)
{
	return store_lifespan(device_file(attr)->stats, buf, count);
}

static void init_file(struct rdma_hw_stat_file *file, const char *name, umode_t mode,
		      struct rdma_hw_stats *stats)
{
	sysfs_attr_init(&file->attr);
	file->attr.name = name;
	file->attr.mode = mode;
	file->stats = stats;
}

static void init_counter(struct rdma_hw_stat_file *file, struct rdma_hw_stats *stats,
			 unsigned int index, bool of_port)
{
	init_file(file, stats->descs[index].name, 0444, stats);
	file->index = index;
	if (of_port)
		file->port.show = show_port_counter;
	else
		file->device.show = show_device_counter;
}

static void init_lifespan(struct rdma_hw_stat_file *file, struct rdma_hw_stats *stats, bool of_port)
{
	init_file(file, "lifespan", 0644, stats);
	if (of_port) {
		file->port.show = show_port_lifespan;
		file->port.store = store_port_lifespan;
	} else {
		file->device.show = show_device_lifespan;
		file->device.store = store_device_lifespan;
	}
}

static void init_files(struct hw_stats_device_data *data, bool of_port)
{
	struct attribute **attr = data->group.attrs;
	struct rdma_hw_stat_file *file = data->files;
	struct rdma_hw_stats *stats = data->stats;
	int i;

	for (i = 0; i < stats->num_counters; i++) {
		/* Netlink alone shows those, once somebody has enabled them. */
		if (stats->descs[i].flags & IB_STAT_FLAG_OPTIONAL)
			continue;
		init_counter(file, stats, i, of_port);
		*attr++ = &file++->attr;
	}
	init_lifespan(file, stats, of_port);
	*attr = &file->attr;
}

/* Takes @stats over, also on an error. */
static struct hw_stats_device_data *create_folder(struct rdma_hw_stats *stats, bool of_port)
{
	size_t count = size_add(stats->num_counters, 1);
	struct hw_stats_device_data *data = kzalloc(struct_size(data, files, count), GFP_KERNEL);

	if (!data) {
		rdma_free_hw_stats_struct(stats);
		return NULL;
	}
	data->stats = stats;
	data->group.name = "hw_counters";
	data->group.attrs = kcalloc(size_add(count, 1), sizeof(*data->group.attrs), GFP_KERNEL);
	if (!data->group.attrs) {
		rdma_hw_counters_free(data);
		return NULL;
	}
	init_files(data, of_port);
	return data;
}

static int read_all(struct ib_device *device, u32 port_num, struct rdma_hw_stats *stats)
{
	int count;

	if (WARN_ON(!stats->descs || stats->num_counters <= 0))
		return -EINVAL;
	count = device->ops.get_hw_stats(device, stats, port_num, stats->num_counters);
	if (count < 0)
		return count;
	if (WARN_ON(count != stats->num_counters))
		return -EINVAL;
	stats->timestamp = jiffies;
	return 0;
}

/**
 * rdma_hw_counters_create - prepare the folder hw_counters
 * @device: the device
 * @port_num: the port, or 0 for the counters of the device
 *
 * Context: Sleeps.
 * Return: to be freed with rdma_hw_counters_free(); NULL if the driver has no counters; ERR_PTR of
 * -ENOMEM, -EINVAL for counters that can't be, or an errno of the driver.
 */
struct hw_stats_device_data *rdma_hw_counters_create(struct ib_device *device, u32 port_num)
{
	struct hw_stats_device_data *data;
	struct rdma_hw_stats *stats;
	int err;

	if (port_num ? !device->ops.alloc_hw_port_stats : !device->ops.alloc_hw_device_stats)
		return NULL;
	stats = port_num ? device->ops.alloc_hw_port_stats(device, port_num) :
			   device->ops.alloc_hw_device_stats(device);
	if (!stats)
		return ERR_PTR(-ENOMEM);
	err = read_all(device, port_num, stats);
	if (err) {
		rdma_free_hw_stats_struct(stats);
		return ERR_PTR(err);
	}
	data = create_folder(stats, port_num);
	return data ?: ERR_PTR(-ENOMEM);
}

/**
 * rdma_hw_counters_free - free it
 * @data: the folder, whose files are gone; may be NULL
 */
void rdma_hw_counters_free(struct hw_stats_device_data *data)
{
	if (!data)
		return;
	rdma_free_hw_stats_struct(data->stats);
	kfree(data->group.attrs);
	kfree(data);
}
