// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The class of objects that are files of their own: event files, and what drivers make of the kind.
 *
 * Before it's committed, such an object's id is the descriptor that is reserved for it. Afterwards
 * the process may close that and dup() it as it likes, so only the file counts, and the object
 * lives as long as the file is open: its private_data is the object.
 */

#include <linux/anon_inodes.h>
#include <linux/file.h>

#include "object.h"

static const struct uverbs_obj_fd_type *fd_type(const struct uverbs_api_object *obj)
{
	return container_of(obj->type_attrs, struct uverbs_obj_fd_type, type);
}

static int open_file(struct ib_uobject *uobj, const struct uverbs_obj_fd_type *type)
{
	struct file *filp;
	int fd;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;

	filp = anon_inode_getfile(type->name, type->fops, NULL, type->flags);
	if (IS_ERR(filp)) {
		put_unused_fd(fd);
		return PTR_ERR(filp);
	}
	uobj->id = fd;
	uobj->object = filp;
	return 0;
}

static struct ib_uobject *fd_alloc_begin(const struct uverbs_api_object *obj,
					 struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = uverbs_uobject_alloc(obj, attrs);
	int ret;

	if (IS_ERR(uobj))
		return uobj;

	ret = open_file(uobj, fd_type(obj));
	if (ret) {
		uverbs_uobject_put(uobj);
		return ERR_PTR(ret);
	}
	return uobj;
}

/* The file takes over the reference. With fd_install() the process can close it, so that's last. */
static void fd_alloc_commit(struct ib_uobject *uobj)
{
	struct file *filp = uobj->object;
	int fd = uobj->id;

	kref_get(&uobj->ufile->ref);
	uobj->id = 0;
	filp->private_data = uobj;
	fd_install(fd, filp);
}

/* The file's release method sees that it has no object. */
static void fd_alloc_abort(struct ib_uobject *uobj)
{
	fput(uobj->object);
	put_unused_fd(uobj->id);
}

/*
 * Of the file, what makes it one of ours is its operations alone; it may be any. Its reference
 * keeps the object from being destroyed by its release. Removal of the device destroys it as well,
 * and begins by telling so: hence the first question.
 */
static struct ib_uobject *fd_lookup_get(const struct uverbs_api_object *obj,
					struct ib_uverbs_file *ufile, s64 id,
					enum rdma_lookup_mode mode)
{
	struct ib_uobject *uobj;
	struct file *filp;

	if (id != (int)id)
		return ERR_PTR(-EINVAL);
	if (mode != UVERBS_LOOKUP_READ)
		return ERR_PTR(-EOPNOTSUPP);
	if (!uverbs_device_present(ufile))
		return ERR_PTR(-EIO);

	filp = fget(id);
	if (!filp)
		return ERR_PTR(-EBADF);
	if (filp->f_op != fd_type(obj)->fops)
		goto bad;
	uobj = filp->private_data;
	if (uobj->ufile != ufile)
		goto bad;

	uverbs_uobject_get(uobj);
	return uobj;

bad:
	fput(filp);
	return ERR_PTR(-EBADF);
}

static void fd_lookup_put(struct ib_uobject *uobj, enum rdma_lookup_mode mode)
{
	fput(uobj->object);
}

static int fd_destroy_hw(struct ib_uobject *uobj, enum rdma_remove_reason why,
			 struct uverbs_attr_bundle *attrs)
{
	fd_type(uobj->uapi_object)->destroy_object(uobj, why);
	return 0;
}

/* The handle is the process's, which alone can close it. */
static void fd_remove_handle(struct ib_uobject *uobj)
{
}

/**
 * DOC: uverbs_fd_class - objects that are open files
 *
 * For UVERBS_TYPE_ALLOC_FD() alone. Source: linux/include/rdma/uverbs_types.h.
 */
const struct uverbs_obj_type_class uverbs_fd_class = {
	.alloc_begin = fd_alloc_begin,
	.alloc_commit = fd_alloc_commit,
	.alloc_abort = fd_alloc_abort,
	.lookup_get = fd_lookup_get,
	.lookup_put = fd_lookup_put,
	.destroy_hw = fd_destroy_hw,
	.remove_handle = fd_remove_handle,
};
EXPORT_SYMBOL(uverbs_fd_class);

/*
 * Whoever uses the object holds its file, so there's nobody; and if all are destroyed now, it's
 * among them.
 */
static void destroy_closed(struct ib_uobject *uobj)
{
	struct ib_uverbs_file *ufile = uobj->ufile;
	struct uverbs_attr_bundle attrs = { .ufile = ufile };

	if (!down_read_trylock(&ufile->hw_destroy_rwsem))
		return;
	attrs.context = uobj->context;
	WARN_ON(uverbs_use(uobj, UVERBS_LOOKUP_WRITE));
	uverbs_uobject_destroy(uobj, RDMA_REMOVE_CLOSE, &attrs);
	uverbs_unuse(uobj, UVERBS_LOOKUP_WRITE);
	up_read(&ufile->hw_destroy_rwsem);
}

/**
 * uverbs_uobject_fd_release - what a file does on its last close that is an object
 * @inode: unused
 * @filp: the file
 *
 * It is, or is called by, the release method of each type that UVERBS_TYPE_ALLOC_FD() makes.
 *
 * Source: linux/include/rdma/uverbs_types.h.
 * Context: Sleeps.
 * Return: 0.
 */
int uverbs_uobject_fd_release(struct inode *inode, struct file *filp)
{
	struct ib_uobject *uobj = filp->private_data;
	struct ib_uverbs_file *ufile;

	if (!uobj)
		return 0;

	ufile = uobj->ufile;
	destroy_closed(uobj);
	uverbs_uobject_put(uobj);
	uverbs_file_put(ufile);
	return 0;
}
EXPORT_SYMBOL(uverbs_uobject_fd_release);
