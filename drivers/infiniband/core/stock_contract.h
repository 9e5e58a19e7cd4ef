/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What binds us to stock modules and stands in no public header: exports that stock declares
 * privately, and layouts that two modules share although neither owns them. Any of ib_core,
 * ib_uverbs, ib_umad, ib_cm and rdma_cm may be stock's while the others are ours, so all of it is
 * fixed: names, arguments, offsets. The offsets hold for kernels without lock debugging, on 64-bit
 * machines; elsewhere only all-ours or all-stock run.
 */
#ifndef RDMA_CORE_STOCK_CONTRACT_H
#define RDMA_CORE_STOCK_CONTRACT_H

#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>
#include <rdma/restrack.h>

struct ib_port_attribute;
struct rdma_dev_addr;

#define STOCK_LAYOUT (IS_ENABLED(CONFIG_64BIT) && !IS_ENABLED(CONFIG_DEBUG_MUTEXES) && \
		      !IS_ENABLED(CONFIG_DEBUG_LOCK_ALLOC))
#define STOCK_OFFSET(type, member, offset) \
	static_assert(!STOCK_LAYOUT || offsetof(type, member) == (offset))
#define STOCK_SIZE(type, size) static_assert(!STOCK_LAYOUT || sizeof(type) == (size))

/* Clients fill it in for RDMA netlink's GET_CHARDEV; @port is U32_MAX when none was asked for. */
struct ib_client_nl_info {
	struct sk_buff *nl_msg;
	struct device *cdev;
	u32 port;
	u64 abi;
};

STOCK_OFFSET(struct ib_client_nl_info, cdev, 8);
STOCK_OFFSET(struct ib_client_nl_info, port, 16);
STOCK_OFFSET(struct ib_client_nl_info, abi, 24);

/*
 * A mapping of a device's memory into a process. ib_core allocates it for a mapping that a driver
 * makes, ib_uverbs for one that a fork copies; ib_uverbs always frees it.
 */
struct rdma_umap_priv {
	struct vm_area_struct *vma;
	struct list_head list;
	struct rdma_user_mmap_entry *entry;
};

STOCK_SIZE(struct rdma_umap_priv, 32);
STOCK_OFFSET(struct rdma_umap_priv, list, 8);
STOCK_OFFSET(struct rdma_umap_priv, entry, 24);

/*
 * struct ib_uverbs_file belongs to ib_uverbs. ib_core reaches two of its members, by offset: the
 * list of mappings and the mutex that guards it.
 */
#define STOCK_UVERBS_FILE_UMAP_LOCK 144
#define STOCK_UVERBS_FILE_UMAPS 176

/* Where they are, also in debug kernels, whose locks are larger. */
#define UVERBS_FILE_UMAP_LOCK (64 + sizeof(struct mutex) + sizeof(struct rw_semaphore) + \
			       ALIGN(sizeof(spinlock_t), 8))
#define UVERBS_FILE_UMAPS (UVERBS_FILE_UMAP_LOCK + sizeof(struct mutex))

static_assert(!STOCK_LAYOUT || UVERBS_FILE_UMAP_LOCK == STOCK_UVERBS_FILE_UMAP_LOCK);
static_assert(!STOCK_LAYOUT || UVERBS_FILE_UMAPS == STOCK_UVERBS_FILE_UMAPS);

/* struct ib_ucq_object, ib_uverbs's as well, has its struct ib_uobject here. */
#define STOCK_UCQ_OBJECT_UOBJECT 0

/* struct rdma_id_private belongs to rdma_cm; resource tracking reaches these members of it. */
#define STOCK_RDMA_ID_DEVICE 0
#define STOCK_RDMA_ID_STATE 604
#define STOCK_RDMA_ID_QP_NUM 760
#define STOCK_RDMA_ID_RES 784

/* verbs, for ib_uverbs */
struct ib_qp *ib_create_qp_user(struct ib_device *device, struct ib_pd *pd,
				struct ib_qp_init_attr *init_attr, struct ib_udata *udata,
				struct ib_uqp_object *uobject, const char *caller);
void ib_qp_usecnt_inc(struct ib_qp *qp);
void ib_qp_usecnt_dec(struct ib_qp *qp);
void rdma_umap_priv_init(struct rdma_umap_priv *priv, struct vm_area_struct *vma,
			 struct rdma_user_mmap_entry *entry);

/* control groups, for ib_uverbs */
int ib_rdmacg_try_charge(struct ib_rdmacg_object *cg_obj, struct ib_device *device,
			 enum rdmacg_resource_type resource);
void ib_rdmacg_uncharge(struct ib_rdmacg_object *cg_obj, struct ib_device *device,
			enum rdmacg_resource_type resource);

/* resource tracking, for ib_uverbs and rdma_cm */
void rdma_restrack_new(struct rdma_restrack_entry *res, enum rdma_restrack_type type);
void rdma_restrack_set_name(struct rdma_restrack_entry *res, const char *caller);
void rdma_restrack_parent_name(struct rdma_restrack_entry *dst,
			       const struct rdma_restrack_entry *parent);
void rdma_restrack_add(struct rdma_restrack_entry *res);
void rdma_restrack_del(struct rdma_restrack_entry *res);
void rdma_restrack_begin_del(struct rdma_restrack_entry *res);
void rdma_restrack_commit_del(struct rdma_restrack_entry *res);
void rdma_restrack_abort_del(struct rdma_restrack_entry *res);
void rdma_restrack_sync(struct rdma_restrack_entry *res);

/* netlink, for ib_uverbs */
bool rdma_nl_get_privileged_qkey(void);

/* caches and addresses, for rdma_cm */
const char *ib_cache_gid_type_str(enum ib_gid_type gid_type);
int ib_cache_gid_parse_type_str(const char *buf);
unsigned long roce_gid_type_mask_support(struct ib_device *device, u32 port_num);
void ib_get_cached_subnet_prefix(struct ib_device *device, u32 port_num, u64 *subnet_prefix);
void rdma_copy_src_l2_addr(struct rdma_dev_addr *dev_addr, const struct net_device *ndev);

/* sysfs, for ib_cm */
int ib_port_register_client_groups(struct ib_device *device, u32 port_num,
				   const struct attribute_group **groups);
void ib_port_unregister_client_groups(struct ib_device *device, u32 port_num,
				      const struct attribute_group **groups);

#endif
