// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * XRC domains. Processes share one by a file that they all can open: its inode names the domain. A
 * domain without a file is private to the context that opened it.
 */

#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>

#include "verbs.h"

/* In the device's xrcds. It holds a reference to the domain's inode. */
struct shared_xrcd {
	struct rb_node node;
	struct ib_xrcd *xrcd;
};

static int compare_inode(const void *inode, const struct rb_node *node)
{
	const struct inode *other = rb_entry(node, struct shared_xrcd, node)->xrcd->inode;

	if ((uintptr_t)inode == (uintptr_t)other)
		return 0;
	return (uintptr_t)inode < (uintptr_t)other ? -1 : 1;
}

static bool is_before(struct rb_node *node, const struct rb_node *other)
{
	return compare_inode(rb_entry(node, struct shared_xrcd, node)->xrcd->inode, other) < 0;
}

static struct shared_xrcd *find_shared(struct ib_uverbs_device *dev, const struct inode *inode)
{
	struct rb_node *node = rb_find(inode, &dev->xrcds, compare_inode);

	return node ? rb_entry(node, struct shared_xrcd, node) : NULL;
}

/*
 * A shared domain's usecnt counts, beside what's in the domain, each time that it was opened by its
 * inode.
 */
static struct ib_xrcd *create_shared(struct uverbs_attr_bundle *attrs, struct inode *inode)
{
	struct ib_uverbs_device *dev = attrs->ufile->device;
	struct shared_xrcd *shared;
	struct ib_xrcd *xrcd;

	shared = kmalloc(sizeof(*shared), GFP_KERNEL_ACCOUNT);
	if (!shared)
		return ERR_PTR(-ENOMEM);
	xrcd = ib_alloc_xrcd_user(attrs->context->device, inode, &attrs->driver_udata);
	if (IS_ERR(xrcd)) {
		kfree(shared);
		return xrcd;
	}
	ihold(inode);
	shared->xrcd = xrcd;
	rb_add(&shared->node, &dev->xrcds, is_before);
	atomic_inc(&xrcd->usecnt);
	return xrcd;
}

static struct ib_xrcd *open_shared(struct uverbs_attr_bundle *attrs, struct inode *inode,
				   u32 oflags)
{
	struct shared_xrcd *shared = find_shared(attrs->ufile->device, inode);

	if (!shared)
		return oflags & O_CREAT ? create_shared(attrs, inode) : ERR_PTR(-EAGAIN);
	if (oflags & O_EXCL)
		return ERR_PTR(-EINVAL);
	atomic_inc(&shared->xrcd->usecnt);
	return shared->xrcd;
}

static struct ib_xrcd *open_by_fd(struct uverbs_attr_bundle *attrs, int fd, u32 oflags)
{
	CLASS(fd, file)(fd);

	if (!fd_file(file))
		return ERR_PTR(-EBADF);
	return open_shared(attrs, file_inode(fd_file(file)), oflags);
}

static int open_xrcd(struct uverbs_attr_bundle *attrs, struct ib_uxrcd_object *uxrcd,
		     const struct ib_uverbs_open_xrcd *cmd)
{
	struct ib_uverbs_device *dev = attrs->ufile->device;
	struct ib_xrcd *xrcd;

	mutex_lock(&dev->xrcd_mutex);
	if (cmd->fd == U32_MAX)
		xrcd = ib_alloc_xrcd_user(attrs->context->device, NULL, &attrs->driver_udata);
	else
		xrcd = open_by_fd(attrs, cmd->fd, cmd->oflags);
	mutex_unlock(&dev->xrcd_mutex);
	if (IS_ERR(xrcd))
		return PTR_ERR(xrcd);

	atomic_set(&uxrcd->refcnt, 0);
	uxrcd->uobject.object = xrcd;
	return 0;
}

static int write_open_xrcd(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_open_xrcd_resp resp = {};
	struct ib_uverbs_open_xrcd cmd;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	uobj = uobj_alloc(UVERBS_OBJECT_XRCD, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	ret = open_xrcd(attrs, container_of(uobj, struct ib_uxrcd_object, uobject), &cmd);
	if (ret) {
		uobj_alloc_abort(uobj, attrs);
		return ret;
	}
	uobj_finalize_uobj_create(uobj, attrs);
	resp.xrcd_handle = uobj->id;
	return uverbs_response(attrs, &resp, sizeof(resp));
}

static int write_close_xrcd(struct uverbs_attr_bundle *attrs)
{
	return uverbs_destroy_by_handle(attrs, UVERBS_OBJECT_XRCD);
}

static int close_shared(struct ib_uverbs_device *dev, struct ib_xrcd *xrcd, struct ib_udata *udata)
{
	struct shared_xrcd *shared = find_shared(dev, xrcd->inode);
	struct inode *inode = xrcd->inode;
	int ret;

	if (!atomic_dec_and_test(&xrcd->usecnt))
		return 0;
	ret = ib_dealloc_xrcd_user(xrcd, udata);
	if (ret) {
		atomic_inc(&xrcd->usecnt);
		return ret;
	}
	rb_erase(&shared->node, &dev->xrcds);
	kfree(shared);
	iput(inode);
	return 0;
}

static int close_xrcd(struct ib_uobject *uobject, enum rdma_remove_reason why,
		      struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_device *dev = attrs->ufile->device;
	struct ib_xrcd *xrcd = uobject->object;
	int ret;

	if (atomic_read(&container_of(uobject, struct ib_uxrcd_object, uobject)->refcnt))
		return -EBUSY;
	mutex_lock(&dev->xrcd_mutex);
	if (xrcd->inode)
		ret = close_shared(dev, xrcd, &attrs->driver_udata);
	else
		ret = ib_dealloc_xrcd_user(xrcd, &attrs->driver_udata);
	mutex_unlock(&dev->xrcd_mutex);
	return ret;
}

/* NULL for whatever reason: to write() commands a bad domain is a bad argument. */
struct ib_uxrcd_object *uverbs_look_up_xrcd(struct uverbs_attr_bundle *attrs, u32 handle)
{
	struct ib_uobject *uobj = uobj_get_read(UVERBS_OBJECT_XRCD, handle, attrs);

	return IS_ERR(uobj) ? NULL : container_of(uobj, struct ib_uxrcd_object, uobject);
}

DECLARE_UVERBS_NAMED_METHOD_DESTROY(UVERBS_METHOD_XRCD_DESTROY,
				    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_XRCD_HANDLE,
						    UVERBS_OBJECT_XRCD, UVERBS_ACCESS_DESTROY,
						    UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_XRCD,
			    UVERBS_TYPE_ALLOC_IDR_SZ(sizeof(struct ib_uxrcd_object), close_xrcd),
			    &UVERBS_METHOD(UVERBS_METHOD_XRCD_DESTROY));

const struct uapi_definition uverbs_def_xrcd[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_XRCD, UAPI_DEF_OBJ_NEEDS_FN(dealloc_xrcd)),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_OPEN_XRCD, write_open_xrcd,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_open_xrcd,
							   struct ib_uverbs_open_xrcd_resp)),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_CLOSE_XRCD, write_close_xrcd,
			     UVERBS_REQUEST(struct ib_uverbs_close_xrcd)),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_OPEN_QP, uverbs_open_qp,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_open_qp,
							   struct ib_uverbs_create_qp_resp)),
	UAPI_DEF_OBJ_NEEDS_FN(alloc_xrcd),
	{}
};
