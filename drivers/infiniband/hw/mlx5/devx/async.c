// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queries whose answers are read from a file once they're there.
 */
#include "devx.h"

/* Bytes of answers that a file may have under way and unread. */
#define MAX_BYTES SZ_1M

/**
 * struct answer_file - a file that answers are read from
 * @uobj: what ib_uverbs sees
 * @lock: guards @answers, @closed
 * @wait: readers
 * @answers: that haven't been read
 * @closed: no more come
 * @bytes: of answers, those under way too
 * @commands: those under way
 */
struct answer_file {
	struct ib_uobject uobj;
	spinlock_t lock; /* see above */
	wait_queue_head_t wait;
	struct list_head answers;
	bool closed;
	atomic_t bytes;
	struct mlx5_async_ctx commands;
};

/**
 * struct answer - to a query
 * @list: in the file's
 * @file: where it's to be read; it waits for all commands before it goes
 * @work: the command
 * @len: of the answer
 * @hdr: what's read: the process's number of it, then the answer
 */
struct answer {
	struct list_head list;
	struct answer_file *file;
	struct mlx5_async_work work;
	u16 len;
	struct mlx5_ib_uapi_devx_async_cmd_hdr hdr;
};

static size_t read_size(const struct answer *answer)
{
	return sizeof(answer->hdr) + answer->len;
}

static void free_answer(struct answer *answer)
{
	atomic_sub(answer->len, &answer->file->bytes);
	kvfree(answer);
}

/* The reader is told of a command without an answer by a status that no good answer has. */
static void answered(int status, struct mlx5_async_work *work)
{
	struct answer *answer = container_of(work, struct answer, work);
	struct answer_file *file = answer->file;
	void *out = answer->hdr.out_data;
	unsigned long flags;

	if (status && !MLX5_GET(general_obj_out_cmd_hdr, out, status))
		MLX5_SET(general_obj_out_cmd_hdr, out, status, MLX5_CMD_STAT_INT_ERR);
	spin_lock_irqsave(&file->lock, flags);
	list_add_tail(&answer->list, &file->answers);
	spin_unlock_irqrestore(&file->lock, flags);
	wake_up_interruptible(&file->wait);
}

static struct answer *alloc_answer(struct answer_file *file, u16 len)
{
	struct answer *answer;

	if (atomic_add_return(len, &file->bytes) > MAX_BYTES) {
		answer = ERR_PTR(-EAGAIN);
	} else {
		answer = kvzalloc(struct_size(answer, hdr.out_data, len), GFP_KERNEL);
		if (answer) {
			answer->file = file;
			answer->len = len;
			return answer;
		}
		answer = ERR_PTR(-ENOMEM);
	}
	atomic_sub(len, &file->bytes);
	return answer;
}

static int check_query(struct uverbs_attr_bundle *attrs, void *in, u16 *outlen)
{
	struct ib_uobject *uobj =
		uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE);
	size_t len = uverbs_attr_get_len(attrs, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN);
	int err;

	err = mlx5_ib_devx_prepare(attrs, in);
	if (!err)
		err = uverbs_get_const(outlen, attrs, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN);
	if (err)
		return err;
	if (*outlen < MLX5_IB_DEVX_MIN_OUT ||
	    !mlx5_ib_devx_is_about(uobj, mlx5_ib_devx_queried_id(in, len)))
		return -EINVAL;
	return 0;
}

static int UVERBS_HANDLER(MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY)(struct uverbs_attr_bundle *attrs)
{
	void *in = uverbs_attr_get_alloced_ptr(attrs, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN);
	struct ib_uobject *uobj =
		uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD);
	struct answer_file *file = container_of(uobj, struct answer_file, uobj);
	int inlen = uverbs_attr_get_len(attrs, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN);
	struct answer *answer;
	u16 outlen;
	int err;

	err = check_query(attrs, in, &outlen);
	if (err)
		return err;
	answer = alloc_answer(file, outlen);
	if (IS_ERR(answer))
		return PTR_ERR(answer);
	err = uverbs_copy_from(&answer->hdr.wr_id, attrs, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID);
	if (!err)
		err = mlx5_cmd_exec_cb(&file->commands, in, inlen, answer->hdr.out_data, outlen,
				       answered, &answer->work);
	if (err)
		free_answer(answer);
	return err;
}

/* The first answer, once there is one; it's taken out if it's no longer than @count. */
static struct answer *take(struct answer_file *file, size_t count)
{
	struct answer *answer;

	spin_lock_irq(&file->lock);
	answer = list_first_entry_or_null(&file->answers, struct answer, list);
	if (!answer)
		answer = ERR_PTR(file->closed ? -EIO : -EAGAIN);
	else if (read_size(answer) > count)
		answer = ERR_PTR(-ENOSPC);
	else
		list_del(&answer->list);
	spin_unlock_irq(&file->lock);
	return answer;
}

static bool is_ready(struct answer_file *file)
{
	bool ready;

	spin_lock_irq(&file->lock);
	ready = file->closed || !list_empty(&file->answers);
	spin_unlock_irq(&file->lock);
	return ready;
}

static ssize_t read(struct file *filp, char __user *buf, size_t count, loff_t *pos)
{
	struct answer_file *file = filp->private_data;
	struct answer *answer;
	ssize_t size;

	while (PTR_ERR(answer = take(file, count)) == -EAGAIN) {
		if (filp->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(file->wait, is_ready(file)))
			return -ERESTARTSYS;
	}
	if (IS_ERR(answer))
		return PTR_ERR(answer);
	size = read_size(answer);
	if (copy_to_user(buf, &answer->hdr, size))
		size = -EFAULT;
	free_answer(answer);
	return size;
}

static __poll_t poll(struct file *filp, struct poll_table_struct *table)
{
	struct answer_file *file = filp->private_data;
	__poll_t mask = 0;

	poll_wait(filp, &file->wait, table);
	spin_lock_irq(&file->lock);
	if (file->closed)
		mask = EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
	else if (!list_empty(&file->answers))
		mask = EPOLLIN | EPOLLRDNORM;
	spin_unlock_irq(&file->lock);
	return mask;
}

static const struct file_operations answer_fops = {
	.owner = THIS_MODULE,
	.read = read,
	.poll = poll,
	.release = uverbs_uobject_fd_release,
};

static int UVERBS_HANDLER(MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj =
		uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE);
	struct answer_file *file = container_of(uobj, struct answer_file, uobj);

	spin_lock_init(&file->lock);
	init_waitqueue_head(&file->wait);
	INIT_LIST_HEAD(&file->answers);
	mlx5_cmd_init_async_ctx(to_mdev(uobj->context->device)->mdev, &file->commands);
	return 0;
}

static void close_file(struct ib_uobject *uobj, enum rdma_remove_reason why)
{
	struct answer_file *file = container_of(uobj, struct answer_file, uobj);
	struct answer *answer, *next;
	LIST_HEAD(unread);

	spin_lock_irq(&file->lock);
	file->closed = true;
	spin_unlock_irq(&file->lock);
	mlx5_cmd_cleanup_async_ctx(&file->commands);
	spin_lock_irq(&file->lock);
	list_splice_init(&file->answers, &unread);
	spin_unlock_irq(&file->lock);
	wake_up_interruptible(&file->wait);
	list_for_each_entry_safe(answer, next, &unread, list)
		free_answer(answer);
}

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY,
			    UVERBS_ATTR_IDR(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE,
					    UVERBS_IDR_ANY_OBJECT, UVERBS_ACCESS_READ,
					    UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN,
					       UVERBS_ATTR_MIN_SIZE(MLX5_IB_DEVX_MIN_IN),
					       UA_MANDATORY, UA_ALLOC_AND_COPY),
			    UVERBS_ATTR_FD(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD,
					   MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD, UVERBS_ACCESS_READ,
					   UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID,
					       UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_CONST_IN(MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN, u16,
						 UA_MANDATORY));

ADD_UVERBS_METHODS(async_queries, MLX5_IB_OBJECT_DEVX_OBJ,
		   &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY));

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC,
			    UVERBS_ATTR_FD(MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE,
					   MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD, UVERBS_ACCESS_NEW,
					   UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD,
			    UVERBS_TYPE_ALLOC_FD(sizeof(struct answer_file), close_file,
						 &answer_fops, "[devx_async_cmd]", O_RDONLY),
			    &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC));

const struct uapi_definition mlx5_ib_devx_async_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(MLX5_IB_OBJECT_DEVX_OBJ, &async_queries,
				UAPI_DEF_IS_OBJ_SUPPORTED(mlx5_ib_devx_supported)),
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD,
				      UAPI_DEF_IS_OBJ_SUPPORTED(mlx5_ib_devx_supported)),
	{}
};
