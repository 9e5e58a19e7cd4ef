/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * From probe to removal: what the files of this folder ask of each other, and main.c of them.
 */
#ifndef RDMA_MLX5_DEVICE_H
#define RDMA_MLX5_DEVICE_H

#include "../mlx5.h"

struct ib_smp;

/* cmd.c: one function a command */
int mlx5_ib_cmd_alloc_pd(struct mlx5_core_dev *mdev, u16 uid, u32 *pdn);
int mlx5_ib_cmd_dealloc_pd(struct mlx5_core_dev *mdev, u16 uid, u32 pdn);
int mlx5_ib_cmd_alloc_xrcd(struct mlx5_core_dev *mdev, u32 *xrcdn);
int mlx5_ib_cmd_dealloc_xrcd(struct mlx5_core_dev *mdev, u32 xrcdn);
int mlx5_ib_cmd_alloc_uar(struct mlx5_core_dev *mdev, u16 uid, u32 *uar_index);
int mlx5_ib_cmd_dealloc_uar(struct mlx5_core_dev *mdev, u16 uid, u32 uar_index);
int mlx5_ib_cmd_alloc_td(struct mlx5_core_dev *mdev, u16 uid, u32 *tdn);
int mlx5_ib_cmd_dealloc_td(struct mlx5_core_dev *mdev, u16 uid, u32 tdn);
int mlx5_ib_cmd_attach_mcg(struct mlx5_core_dev *mdev, u16 uid, u32 qpn, const union ib_gid *mgid);
int mlx5_ib_cmd_detach_mcg(struct mlx5_core_dev *mdev, u16 uid, u32 qpn, const union ib_gid *mgid);
int mlx5_ib_cmd_mad_ifc(struct mlx5_core_dev *mdev, u8 op_mod, u32 port_num, const void *mad,
			void *response);
int mlx5_ib_cmd_special_keys(struct mlx5_core_dev *mdev, u32 *out);
int mlx5_ib_cmd_read_node_desc(struct mlx5_core_dev *mdev, char *desc);
int mlx5_ib_cmd_write_node_desc(struct mlx5_core_dev *mdev, const char *desc);
int mlx5_ib_cmd_read_port_counters(struct mlx5_core_dev *mdev, u32 port_num, void *ppcnt);

int mlx5_ib_cmd_alloc_counters(struct mlx5_core_dev *mdev, u16 *set);
int mlx5_ib_cmd_dealloc_counters(struct mlx5_core_dev *mdev, u16 set);
int mlx5_ib_cmd_query_counters(struct mlx5_core_dev *mdev, u16 set, u32 *out);

/* smp.c */
int mlx5_ib_get_smp(struct mlx5_ib_dev *dev, u32 port_num, __be16 attr_id, u32 attr_mod,
		    struct ib_smp *reply);
bool mlx5_ib_asks_by_mad(struct mlx5_ib_dev *dev);

/* node.c */

/**
 * struct mlx5_ib_node - what the port's agent, or the firmware, says of the adapter
 * @system_image_guid: of the adapter
 * @guid: of the node
 * @vendor_id: the maker's OUI
 * @pkey_table_len: entries of each port's
 */
struct mlx5_ib_node {
	__be64 system_image_guid;
	__be64 guid;
	u32 vendor_id;
	u16 pkey_table_len;
};

int mlx5_ib_query_node(struct mlx5_ib_dev *dev, struct mlx5_ib_node *node);
int mlx5_ib_node_init(struct mlx5_ib_dev *dev);
int mlx5_ib_modify_device(struct ib_device *ibdev, int mask, struct ib_device_modify *props);
extern const struct attribute_group mlx5_ib_attr_group;
void mlx5_ib_fw_string(struct ib_device *ibdev, char *str);

/* port_info.c */
void mlx5_ib_port_info(const struct ib_smp *smp, struct ib_port_attr *attr);
bool mlx5_ib_is_fdr10(const struct ib_smp *extended_port_info);
u8 mlx5_ib_width_of_ptys(u16 width);
enum ib_mtu mlx5_ib_mtu_of_bytes(u16 bytes);
int mlx5_ib_vls_of_device(u8 vls);

/* port.c */
int mlx5_ib_query_port(struct ib_device *ibdev, u32 port_num, struct ib_port_attr *attr);
int mlx5_ib_port_immutable(struct ib_device *ibdev, u32 port_num,
			   struct ib_port_immutable *immutable);
int mlx5_ib_query_gid(struct ib_device *ibdev, u32 port_num, int index, union ib_gid *gid);
int mlx5_ib_query_pkey(struct ib_device *ibdev, u32 port_num, u16 index, u16 *pkey);
int mlx5_ib_modify_port(struct ib_device *ibdev, u32 port_num, int mask,
			struct ib_port_modify *props);
enum rdma_link_layer mlx5_ib_link_layer(struct ib_device *ibdev, u32 port_num);
int mlx5_ib_port_init(struct mlx5_ib_dev *dev);

/* mad.c, pma.c */
int mlx5_ib_process_mad(struct ib_device *ibdev, int flags, u32 port_num, const struct ib_wc *wc,
			const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out,
			size_t *out_size, u16 *out_pkey_index);
bool mlx5_ib_answers_pma(struct mlx5_ib_dev *dev, const struct ib_mad_hdr *hdr);
int mlx5_ib_answer_pma(struct mlx5_ib_dev *dev, const struct ib_mad *in, struct ib_mad *out);

/* caps.c, caps_user.c */
int mlx5_ib_query_device(struct ib_device *ibdev, struct ib_device_attr *attr,
			 struct ib_udata *udata);
int mlx5_ib_check_caps_request(struct ib_udata *udata);
int mlx5_ib_tell_caps(struct mlx5_ib_dev *dev, struct ib_udata *udata);

/* events.c */
void mlx5_ib_events_start(struct mlx5_ib_dev *dev);
void mlx5_ib_events_stop(struct mlx5_ib_dev *dev);

/* pd.c, xrcd.c, ah.c, mcast.c */
int mlx5_ib_alloc_pd(struct ib_pd *ibpd, struct ib_udata *udata);
int mlx5_ib_dealloc_pd(struct ib_pd *ibpd, struct ib_udata *udata);
int mlx5_ib_alloc_xrcd(struct ib_xrcd *ibxrcd, struct ib_udata *udata);
int mlx5_ib_dealloc_xrcd(struct ib_xrcd *ibxrcd, struct ib_udata *udata);
int mlx5_ib_create_ah(struct ib_ah *ibah, struct rdma_ah_init_attr *init, struct ib_udata *udata);
int mlx5_ib_query_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr);
int mlx5_ib_destroy_ah(struct ib_ah *ibah, u32 flags);
int mlx5_ib_attach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid);
int mlx5_ib_detach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid);

/* bfreg_plan.c */

/* Not a page of the device. */
#define MLX5_IB_NO_UAR U32_MAX

/**
 * struct mlx5_ib_bfreg_plan - how many doorbells a context has, and on how many pages
 *
 * Doorbell 0 takes no inline requests, and any number of queues; then come those that several
 * queues share, then those that one queue has for itself; behind these, on pages of their own,
 * those that a process makes by mapping them.
 *
 * @at_open: doorbells that are there from the beginning
 * @alone: of these, for one queue each
 * @later: doorbells that may be made
 * @per_page: doorbells on a page of the system
 * @classes: the library knows of all this; if not, all queues use doorbell 0
 */
struct mlx5_ib_bfreg_plan {
	u32 at_open;
	u32 alone;
	u32 later;
	u32 per_page;
	bool classes;
};

int mlx5_ib_bfreg_plan(struct mlx5_ib_bfreg_plan *plan, u32 total, u32 alone, u32 uars_per_page);
u32 mlx5_ib_bfreg_pages_at_open(const struct mlx5_ib_bfreg_plan *plan);
u32 mlx5_ib_bfreg_pages(const struct mlx5_ib_bfreg_plan *plan);
u32 mlx5_ib_bfreg_choose(const struct mlx5_ib_bfreg_plan *plan, const u32 *users);
u32 mlx5_ib_bfreg_library_index(u32 bfregn);

/* bfreg.c */

/**
 * struct mlx5_ib_bfregs - doorbells of a context whose library doesn't make them by itself
 * @plan: how many of what
 * @lock: guards all below
 * @users: queues, by doorbell
 * @uars: pages of the device, by page of the system; those at open first
 */
struct mlx5_ib_bfregs {
	struct mlx5_ib_bfreg_plan plan;
	struct mutex lock; /* see above; firmware is asked for pages under it */
	u32 *users;
	u32 *uars;
};

int mlx5_ib_bfregs_create(struct mlx5_ib_ucontext *context, const struct mlx5_ib_bfreg_plan *plan);
void mlx5_ib_bfregs_destroy(struct mlx5_ib_ucontext *context);
int mlx5_ib_bfregs_mmap(struct mlx5_ib_ucontext *context, struct vm_area_struct *vma, u32 page,
			bool make, bool write_combining);

/* context.c */
int mlx5_ib_alloc_ucontext(struct ib_ucontext *ibcontext, struct ib_udata *udata);
void mlx5_ib_dealloc_ucontext(struct ib_ucontext *ibcontext);
void mlx5_ib_disassociate_ucontext(struct ib_ucontext *ibcontext);
int mlx5_ib_query_ucontext(struct ib_ucontext *ibcontext, struct uverbs_attr_bundle *attrs);

/* mmap_offset.c */

/* Commands from here on are objects' made for being mapped; below are enum mlx5_ib_mmap_cmd. */
#define MLX5_IB_MMAP_ENTRY 9

u8 mlx5_ib_mmap_command(unsigned long pgoff);
u32 mlx5_ib_mmap_index(unsigned long pgoff);
u32 mlx5_ib_mmap_long_index(unsigned long pgoff);
unsigned long mlx5_ib_mmap_entry_number(unsigned long pgoff);
u64 mlx5_ib_mmap_entry_offset(unsigned long number);

/* mmap.c */
int mlx5_ib_mmap(struct ib_ucontext *ibcontext, struct vm_area_struct *vma);
void mlx5_ib_mmap_free(struct rdma_user_mmap_entry *rdma_entry);
phys_addr_t mlx5_ib_uar_address(struct mlx5_ib_dev *dev, u32 uar_index);

/* uar.c */
extern const struct uapi_definition mlx5_ib_uar_defs[];

/* keys.c, placeholder.c, counters.c */
int mlx5_ib_special_keys_init(struct mlx5_ib_dev *dev);
int mlx5_ib_placeholders_init(struct mlx5_ib_dev *dev);
void mlx5_ib_placeholders_cleanup(struct mlx5_ib_dev *dev);
int mlx5_ib_counters_init(struct mlx5_ib_dev *dev);
void mlx5_ib_counters_cleanup(struct mlx5_ib_dev *dev);

#endif
