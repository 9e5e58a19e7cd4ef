// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Fields of commands whose place is data. MLX5_GET() and MLX5_SET() want to know it when they're
 * compiled.
 */
#include "devx.h"

static unsigned int shift_of(struct mlx5_ib_devx_field field)
{
	return 32 - field.at % 32 - field.bits;
}

static u32 mask_of(struct mlx5_ib_devx_field field)
{
	return GENMASK(field.bits - 1, 0);
}

bool mlx5_ib_devx_field_fits(struct mlx5_ib_devx_field field, size_t len)
{
	return round_up(field.at + field.bits, 32) / 8 <= len;
}

u32 mlx5_ib_devx_get(const void *command, struct mlx5_ib_devx_field field)
{
	const __be32 *word = (const __be32 *)command + field.at / 32;

	return be32_to_cpup(word) >> shift_of(field) & mask_of(field);
}

void mlx5_ib_devx_set(void *command, struct mlx5_ib_devx_field field, u32 value)
{
	__be32 *word = (__be32 *)command + field.at / 32;
	u32 mask = mask_of(field) << shift_of(field);

	*word = cpu_to_be32((be32_to_cpup(word) & ~mask) | (value << shift_of(field) & mask));
}
