// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What the firmware counts of queue pairs: in hw_counters of the port. All are in one set.
 */
#include "device.h"

struct counter {
	struct rdma_stat_desc desc;
	size_t at; /* in query_q_counter_out */
};

#define COUNTER(which)									\
	{ .desc.name = #which, .at = MLX5_BYTE_OFF(query_q_counter_out, which) }

static const struct counter basic[] = {
	COUNTER(rx_write_requests),
	COUNTER(rx_read_requests),
	COUNTER(rx_atomic_requests),
	COUNTER(rx_dct_connect),
	COUNTER(out_of_buffer),
};

static const struct counter sequence[] = {
	COUNTER(out_of_sequence),
};

static const struct counter retransmission[] = {
	COUNTER(duplicate_request),
	COUNTER(rnr_nak_retry_err),
	COUNTER(packet_seq_err),
	COUNTER(implied_nak_seq_err),
	COUNTER(local_ack_timeout_err),
};

static const struct counter errors[] = {
	COUNTER(resp_local_length_error),
	COUNTER(resp_cqe_error),
	COUNTER(req_cqe_error),
	COUNTER(req_remote_invalid_request),
	COUNTER(req_remote_access_errors),
	COUNTER(resp_remote_access_errors),
	COUNTER(resp_cqe_flush_error),
	COUNTER(req_cqe_flush_error),
	COUNTER(req_transport_retries_exceeded),
	COUNTER(req_rnr_retries_exceeded),
};

#define MOST (ARRAY_SIZE(basic) + ARRAY_SIZE(sequence) + ARRAY_SIZE(retransmission) +	\
	      ARRAY_SIZE(errors))

/**
 * struct mlx5_ib_counters - the counters of an adapter
 * @set: the firmware's number of the set
 * @count: of them
 * @descs: their names
 * @at: where they are in query_q_counter_out
 */
struct mlx5_ib_counters {
	u16 set;
	u32 count;
	struct rdma_stat_desc descs[MOST];
	size_t at[MOST];
};

static void add(struct mlx5_ib_counters *counters, const struct counter *more, size_t count)
{
	for (size_t i = 0; i < count; i++, counters->count++) {
		counters->descs[counters->count] = more[i].desc;
		counters->at[counters->count] = more[i].at;
	}
}

static void choose(struct mlx5_core_dev *mdev, struct mlx5_ib_counters *counters)
{
	add(counters, basic, ARRAY_SIZE(basic));
	if (MLX5_CAP_GEN(mdev, out_of_seq_cnt))
		add(counters, sequence, ARRAY_SIZE(sequence));
	if (MLX5_CAP_GEN(mdev, retransmission_q_counters))
		add(counters, retransmission, ARRAY_SIZE(retransmission));
	if (MLX5_CAP_GEN(mdev, enhanced_error_q_counters))
		add(counters, errors, ARRAY_SIZE(errors));
}

static struct rdma_hw_stats *alloc_stats(struct ib_device *ibdev, u32 port_num)
{
	struct mlx5_ib_counters *counters = to_mdev(ibdev)->counters;

	return rdma_alloc_hw_stats_struct(counters->descs, counters->count,
					  RDMA_HW_STATS_DEFAULT_LIFESPAN);
}

/* One command tells them all. */
static int get_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, u32 port_num, int index)
{
	struct mlx5_ib_counters *counters = to_mdev(ibdev)->counters;
	u32 out[MLX5_ST_SZ_DW(query_q_counter_out)] = {};
	int err;

	err = mlx5_ib_cmd_query_counters(to_mdev(ibdev)->mdev, counters->set, out);
	if (err)
		return err;
	for (u32 i = 0; i < counters->count; i++)
		stats->value[i] = be32_to_cpup((__be32 *)((void *)out + counters->at[i]));
	return counters->count;
}

static const struct ib_device_ops counter_ops = {
	.alloc_hw_port_stats = alloc_stats,
	.get_hw_stats = get_stats,
};

/* The set in which a queue pair is counted; 0: in none. */
u16 mlx5_ib_counter_set(struct mlx5_ib_dev *dev)
{
	return dev->counters ? dev->counters->set : 0;
}

/**
 * mlx5_ib_counters_init - have queue pairs counted, if the firmware does
 * @dev: the adapter, before its registration
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_counters_init(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_counters *counters;
	int err;

	if (!MLX5_CAP_GEN(dev->mdev, max_qp_cnt))
		return 0;
	counters = kzalloc(sizeof(*counters), GFP_KERNEL);
	if (!counters)
		return -ENOMEM;
	err = mlx5_ib_cmd_alloc_counters(dev->mdev, &counters->set);
	if (err) {
		kfree(counters);
		return err;
	}
	choose(dev->mdev, counters);
	dev->counters = counters;
	ib_set_device_ops(&dev->ib_dev, &counter_ops);
	return 0;
}

void mlx5_ib_counters_cleanup(struct mlx5_ib_dev *dev)
{
	if (!dev->counters)
		return;
	mlx5_ib_cmd_dealloc_counters(dev->mdev, dev->counters->set);
	kfree(dev->counters);
}
