// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The table of subscriptions to events, by event and object.
 */
#include <linux/eventfd.h>

#include "devx.h"

static const struct rhashtable_params params = {
	.key_len = sizeof_field(struct mlx5_ib_devx_subscription, key),
	.key_offset = offsetof(struct mlx5_ib_devx_subscription, key),
	.head_offset = offsetof(struct mlx5_ib_devx_subscription, node),
	.automatic_shrinking = true,
};

int mlx5_ib_devx_table_init(struct mlx5_ib_devx *devx)
{
	mutex_init(&devx->lock);
	return rhltable_init(&devx->subscriptions, &params);
}

/* Files and objects are gone, and with them all subscriptions; the last may still await RCU. */
void mlx5_ib_devx_table_cleanup(struct mlx5_ib_devx *devx)
{
	rcu_barrier();
	rhltable_destroy(&devx->subscriptions);
}

static void free_subscription(struct mlx5_ib_devx_subscription *subscription)
{
	if (subscription->eventfd)
		eventfd_ctx_put(subscription->eventfd);
	uverbs_uobject_put(&subscription->file->uobj);
	kfree(subscription);
}

static void free_by_rcu(struct rcu_head *rcu)
{
	free_subscription(container_of(rcu, struct mlx5_ib_devx_subscription, rcu));
}

static void remove(struct mlx5_ib_devx *devx, struct mlx5_ib_devx_subscription *subscription)
{
	lockdep_assert_held(&devx->lock);
	list_del(&subscription->of_object);
	list_del(&subscription->of_file);
	rhltable_remove(&devx->subscriptions, &subscription->node, params);
	mlx5_ib_devx_withdraw(subscription);
	call_rcu(&subscription->rcu, free_by_rcu);
}

void mlx5_ib_devx_unsubscribe_object(struct mlx5_ib_devx_object *object)
{
	struct mlx5_ib_devx *devx = object->dev->devx;
	struct mlx5_ib_devx_subscription *subscription, *next;

	mutex_lock(&devx->lock);
	list_for_each_entry_safe(subscription, next, &object->subscriptions, of_object)
		remove(devx, subscription);
	mutex_unlock(&devx->lock);
}

void mlx5_ib_devx_unsubscribe_file(struct mlx5_ib_devx_event_file *file)
{
	struct mlx5_ib_devx_subscription *subscription, *next;

	mutex_lock(&file->devx->lock);
	list_for_each_entry_safe(subscription, next, &file->subscriptions, of_file)
		remove(file->devx, subscription);
	mutex_unlock(&file->devx->lock);
}

static void tell(struct mlx5_ib_devx_subscription *subscription, const struct mlx5_eqe *eqe)
{
	if (subscription->object && READ_ONCE(subscription->object->dying))
		return;
	if (subscription->eventfd)
		eventfd_signal(subscription->eventfd);
	else
		mlx5_ib_devx_deliver(subscription, eqe);
}

/**
 * mlx5_ib_devx_dispatch - tell all who have subscribed to an event
 * @devx: the adapter's subscriptions
 * @key: the event and its object
 * @eqe: as the device tells it
 *
 * Context: any; doesn't sleep.
 */
void mlx5_ib_devx_dispatch(struct mlx5_ib_devx *devx, u64 key, const struct mlx5_eqe *eqe)
{
	struct mlx5_ib_devx_subscription *subscription;
	struct rhlist_head *found, *at;

	rcu_read_lock();
	found = rhltable_lookup(&devx->subscriptions, &key, params);
	rhl_for_each_entry_rcu(subscription, at, found, node)
		tell(subscription, eqe);
	rcu_read_unlock();
}

/* Events that one call can subscribe to. */
#define MAX_TYPES 16

/**
 * struct request - what a process subscribes to
 * @devx: the adapter's subscriptions
 * @file: where events go to
 * @object: whose they are; NULL: the device's
 * @keys: MAX_TYPES at most
 * @count: of them
 * @has_eventfd: @eventfd is to be signalled instead
 * @eventfd: file descriptor
 * @cookie: see struct mlx5_ib_devx_subscription
 */
struct request {
	struct mlx5_ib_devx *devx;
	struct mlx5_ib_devx_event_file *file;
	struct mlx5_ib_devx_object *object;
	u64 keys[MAX_TYPES];
	int count;
	bool has_eventfd;
	int eventfd;
	u64 cookie;
};

static struct mlx5_ib_devx_subscription *alloc_subscription(const struct request *request, u64 key)
{
	struct mlx5_ib_devx_subscription *subscription;
	struct eventfd_ctx *eventfd = NULL;

	if (request->has_eventfd) {
		eventfd = eventfd_ctx_fdget(request->eventfd);
		if (IS_ERR(eventfd))
			return ERR_CAST(eventfd);
	}
	subscription = kzalloc(sizeof(*subscription), GFP_KERNEL_ACCOUNT);
	if (!subscription) {
		if (eventfd)
			eventfd_ctx_put(eventfd);
		return ERR_PTR(-ENOMEM);
	}
	subscription->key = key;
	subscription->cookie = request->cookie;
	subscription->eventfd = eventfd;
	subscription->object = request->object;
	subscription->file = request->file;
	uverbs_uobject_get(&request->file->uobj);
	INIT_LIST_HEAD(&subscription->pending);
	INIT_LIST_HEAD(&subscription->of_object);
	return subscription;
}

/* @added: those that this call has added, linked by of_file. */
static int add(const struct request *request, u64 key, struct list_head *added)
{
	struct mlx5_ib_devx_subscription *subscription = alloc_subscription(request, key);
	int err;

	if (IS_ERR(subscription))
		return PTR_ERR(subscription);
	err = rhltable_insert(&request->devx->subscriptions, &subscription->node, params);
	if (err) {
		free_subscription(subscription);
		return err;
	}
	list_add_tail(&subscription->of_file, added);
	if (request->object)
		list_add_tail(&subscription->of_object, &request->object->subscriptions);
	return 0;
}

static int subscribe(const struct request *request)
{
	struct mlx5_ib_devx_subscription *subscription, *next;
	LIST_HEAD(added);
	int err = 0;

	mutex_lock(&request->devx->lock);
	for (int i = 0; i < request->count && !err; i++)
		err = add(request, request->keys[i], &added);
	if (err)
		list_for_each_entry_safe(subscription, next, &added, of_file)
			remove(request->devx, subscription);
	list_splice_tail(&added, &request->file->subscriptions);
	mutex_unlock(&request->devx->lock);
	return err;
}

static int get_types(struct request *request, struct uverbs_attr_bundle *attrs)
{
	const u16 attr = MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST;
	const u16 *types = uverbs_attr_get_alloced_ptr(attrs, attr);
	struct mlx5_ib_devx_object *object = request->object;

	request->count = uverbs_attr_ptr_get_array_size(attrs, attr, sizeof(*types));
	if (request->count < 0)
		return request->count;
	if (request->count > MAX_TYPES)
		return -EINVAL;
	for (int i = 0; i < request->count; i++) {
		if (!mlx5_ib_devx_event_allowed(request->devx->dev->mdev, types[i], object))
			return -EINVAL;
		if (!object)
			request->keys[i] = mlx5_ib_devx_device_key(types[i]);
		else if (!mlx5_ib_devx_object_key(object->kind, object->id, types[i],
						  &request->keys[i]))
			return -EINVAL;
	}
	return 0;
}

static int get_destination(struct request *request, struct uverbs_attr_bundle *attrs)
{
	bool has_cookie =
		uverbs_attr_is_valid(attrs, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE);

	request->has_eventfd =
		uverbs_attr_is_valid(attrs, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM);
	if (request->has_eventfd && has_cookie)
		return -EINVAL;
	if (request->has_eventfd)
		return uverbs_copy_from(&request->eventfd, attrs,
					MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM);
	if (has_cookie)
		return uverbs_copy_from(&request->cookie, attrs,
					MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE);
	return 0;
}

static int UVERBS_HANDLER(MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *file =
		uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE);
	struct ib_uobject *object =
		uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE);
	struct mlx5_ib_ucontext *context = mlx5_ib_devx_context(attrs);
	struct request request = {};
	int err;

	if (IS_ERR(context))
		return PTR_ERR(context);
	if (!context->devx_uid)
		return -EINVAL;
	request.file = container_of(file, struct mlx5_ib_devx_event_file, uobj);
	request.devx = request.file->devx;
	request.object = IS_ERR(object) ? NULL : object->object;
	err = get_destination(&request, attrs);
	if (!err)
		err = get_types(&request, attrs);
	return err ?: subscribe(&request);
}

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT,
			    UVERBS_ATTR_FD(MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE,
					   MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD,
					   UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_IDR(MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE,
					    MLX5_IB_OBJECT_DEVX_OBJ, UVERBS_ACCESS_READ,
					    UA_OPTIONAL),
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST,
					       UVERBS_ATTR_MIN_SIZE(sizeof(u16)), UA_MANDATORY,
					       UA_ALLOC_AND_COPY),
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE,
					       UVERBS_ATTR_TYPE(u64), UA_OPTIONAL),
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM,
					       UVERBS_ATTR_TYPE(u32), UA_OPTIONAL));

ADD_UVERBS_METHODS(subscriptions, MLX5_IB_OBJECT_DEVX,
		   &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT));

const struct uapi_definition mlx5_ib_devx_subscription_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(MLX5_IB_OBJECT_DEVX, &subscriptions,
				UAPI_DEF_IS_OBJ_SUPPORTED(mlx5_ib_devx_supported)),
	{}
};
