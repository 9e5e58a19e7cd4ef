/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Any sequence of commands. The input is a list of: which command, modifier, length of the input
 * and of the output, and the input's bytes, of which those up to 16 are given and the rest are
 * sparse.
 */
#include "base/log.h"
#include "connectx5/tests/bench.h"

static const uint16_t opcodes[] = {
	0x100, 0x101, 0x102, 0x103, 0x104, 0x105, 0x107, 0x108, 0x109, 0x10a, 0x10b, 0x200,
	0x201, 0x202, 0x203, 0x301, 0x302, 0x303, 0x400, 0x401, 0x402, 0x403, 0x500, 0x501,
	0x502, 0x503, 0x504, 0x505, 0x506, 0x507, 0x50a, 0x50b, 0x50c, 0x50d, 0x50e, 0x700,
	0x701, 0x702, 0x703, 0x705, 0x706, 0x707, 0x708, 0x710, 0x711, 0x712, 0x713, 0x762, 0x842,
	0x800, 0x801, 0x802, 0x803, 0x805, 0x806, 0x807, 0x80e, 0x80f, 0x816, 0x817, 0x90c,
	0x90d, 0x90e, 0x90f, 0x7777,
};

struct input {
	const uint8_t *p, *end;
};

static uint8_t next(struct input *input)
{
	return input->p < input->end ? *input->p++ : 0;
}

/* Bytes are set at places that the input names, so that few bytes reach far into a long command. */
static void fill(struct input *input, uint8_t *in, uint32_t len)
{
	unsigned int count = next(input) % 40;

	for (uint32_t i = 8; i < 16 && i < len; i++)
		in[i] = next(input);
	while (count--) {
		uint32_t at = (uint32_t)next(input) << 8 | next(input);

		in[at % len] = next(input);
	}
}

static void one_command(struct guest *guest, struct input *input)
{
	static const uint32_t lengths[] = { 8, 16, 32, 80, 272, 280, 304, 4112, 8192 };
	uint16_t opcode = opcodes[next(input) % (sizeof(opcodes) / sizeof(opcodes[0]))];
	uint16_t op_mod = next(input) & 3;
	uint32_t in_len = lengths[next(input) % 9], out_len = lengths[next(input) % 9];
	struct cx5_command cmd = { .in_len = in_len, .out_len = out_len };
	uint8_t *in = calloc(1, in_len);

	fill(input, in, in_len);
	put_be16(in, opcode);
	put_be16(in + 6, op_mod);
	for (uint32_t at = 272; at + 8 <= in_len && in_len < 512; at += 8)
		put_be64(in + at, bus(QP_AT + at * PAGE));
	cmd.in = in;
	cx5_execute(&guest->dev, &cmd);
	free(cmd.out);
	free(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const struct connectx5_options options = { .fuzz_reserved = true };
	static struct bench *bench; /* made once, reset for each input */
	struct input input = { bytes, bytes + len };
	struct guest *guest;

	log_level = LOG_ERROR;
	if (!bench)
		bench = bench_create_with(&options);
	guest = &bench->guest[0];
	cx5_reset(&guest->dev);
	if (next(&input) & 1) {
		start_hca(guest);
		set_up_verbs(guest);
	}
	while (input.p < input.end) {
		one_command(guest, &input);
		sched_run(bench->sched);
	}
	return 0;
}
