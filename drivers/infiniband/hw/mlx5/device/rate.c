// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Static rates: the device has numbers of its own for some, and counts the others as ib_core does.
 */
#include "../mlx5.h"

#define OTHER_RATES 5

static const struct {
	enum ib_rate rate;
	u8 number;
} rates[] = {
	{ IB_RATE_PORT_CURRENT, 0 },
	{ IB_RATE_56_GBPS, 1 },
	{ IB_RATE_25_GBPS, 2 },
	{ IB_RATE_100_GBPS, 3 },
	{ IB_RATE_200_GBPS, 4 },
	{ IB_RATE_50_GBPS, 5 },
	{ IB_RATE_400_GBPS, 6 },
};

static u8 number_of(u8 rate)
{
	for (size_t i = 0; i < ARRAY_SIZE(rates); i++)
		if (rates[i].rate == rate)
			return rates[i].number;
	return rate + OTHER_RATES;
}

/**
 * mlx5_ib_rate_from_device - the rate that the device calls by a number
 * @number: its number
 *
 * Return: enum ib_rate.
 */
u8 mlx5_ib_rate_from_device(u8 number)
{
	for (size_t i = 0; i < ARRAY_SIZE(rates); i++)
		if (rates[i].number == number)
			return rates[i].rate;
	return number - OTHER_RATES;
}

/**
 * mlx5_ib_rate_to_device - the device's number of a rate
 * @supported: a bit for each number that the device can limit itself to
 * @rate: enum ib_rate
 *
 * Return: the number of this rate or of the next lower one in ib_core's order; 0, no limit, if
 * there's none; -EINVAL if there is no such rate.
 */
int mlx5_ib_rate_to_device(u32 supported, u8 rate)
{
	if (rate == IB_RATE_PORT_CURRENT || rate == IB_RATE_800_GBPS)
		return 0;
	if (rate < IB_RATE_2_5_GBPS || rate > IB_RATE_800_GBPS)
		return -EINVAL;
	for (; rate != IB_RATE_PORT_CURRENT; rate--)
		if (supported & BIT(number_of(rate)))
			return number_of(rate);
	return 0;
}
