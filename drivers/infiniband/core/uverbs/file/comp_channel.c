// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Completion channels: a record for each completion event of the completion queues that are bound
 * to one. The queue ends with the channel's file or with the device.
 */

#include <linux/fs.h>
#include <linux/module.h>

#include "file.h"

static struct uverbs_comp_channel *to_channel(struct ib_uobject *uobj)
{
	return container_of(uobj, struct uverbs_comp_channel, uobj);
}

static void channel_destroy(struct ib_uobject *uobj, enum rdma_remove_reason why)
{
	uverbs_event_queue_close(&to_channel(uobj)->queue);
}

static ssize_t channel_read(struct file *filp, char __user *buf, size_t count, loff_t *pos)
{
	struct uverbs_comp_channel *channel = to_channel(filp->private_data);

	return uverbs_event_read(&channel->queue, filp, buf, count,
				 sizeof(struct ib_uverbs_comp_event_desc));
}

static __poll_t channel_poll(struct file *filp, struct poll_table_struct *wait)
{
	return uverbs_event_poll(&to_channel(filp->private_data)->queue, filp, wait);
}

static int channel_fasync(int fd, struct file *filp, int on)
{
	return fasync_helper(fd, filp, on, &to_channel(filp->private_data)->queue.fasync);
}

static const struct file_operations channel_fops = {
	.owner = THIS_MODULE,
	.read = channel_read,
	.poll = channel_poll,
	.fasync = channel_fasync,
	.release = uverbs_uobject_fd_release,
};

static int create_comp_channel(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_create_comp_channel_resp response = {};
	struct ib_uverbs_create_comp_channel request;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	int err;

	err = uverbs_request(attrs, &request, sizeof(request));
	if (err)
		return err;
	uobj = uobj_alloc(UVERBS_OBJECT_COMP_CHANNEL, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);

	uverbs_event_queue_init(&to_channel(uobj)->queue);
	uobj_finalize_uobj_create(uobj, attrs);

	response.fd = uobj->id;
	return uverbs_response(attrs, &response, sizeof(response));
}

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_COMP_CHANNEL,
			    UVERBS_TYPE_ALLOC_FD(sizeof(struct uverbs_comp_channel),
						 channel_destroy, &channel_fops,
						 "[infinibandevent]", O_RDONLY));

#define CREATE_COMP_CHANNEL							\
	UVERBS_REQUEST_RESPONSE(struct ib_uverbs_create_comp_channel,		\
				struct ib_uverbs_create_comp_channel_resp)

const struct uapi_definition uverbs_def_comp_channel[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_COMP_CHANNEL,
				      UAPI_DEF_OBJ_NEEDS_FN(dealloc_pd)),
	DECLARE_UVERBS_OBJECT(UVERBS_OBJECT_COMP_CHANNEL,
			      DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL,
						   create_comp_channel, CREATE_COMP_CHANNEL)),
	{}
};
