// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Wire formats, described by tables of struct ib_field, from and to structures.
 *
 * A field of up to 64 bits lies in the big-endian word, of 32 bits if that is enough, else of 64,
 * that starts at offset_words. A longer one is a string of bytes. Members of the structures are
 * big-endian as well; a field without a member is reserved.
 */

#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/export.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <rdma/ib_pack.h>

static int word_bits(const struct ib_field *field)
{
	return field->size_bits <= 32 ? 32 : 64;
}

static int shift_of(const struct ib_field *field)
{
	return word_bits(field) - field->offset_bits - field->size_bits;
}

static u64 mask_of(const struct ib_field *field)
{
	return GENMASK_ULL(field->size_bits - 1, 0) << shift_of(field);
}

static u64 load(const struct ib_field *field, const u8 *word)
{
	return word_bits(field) == 32 ? get_unaligned_be32(word) : get_unaligned_be64(word);
}

static void store(const struct ib_field *field, u8 *word, u64 value)
{
	if (word_bits(field) == 32)
		put_unaligned_be32(value, word);
	else
		put_unaligned_be64(value, word);
}

static u64 read_member(const struct ib_field *field, const u8 *member)
{
	switch (field->struct_size_bytes) {
	case 0:
		return 0;
	case 1:
		return *member;
	case 2:
		return get_unaligned_be16(member);
	case 4:
		return get_unaligned_be32(member);
	case 8:
		return get_unaligned_be64(member);
	}
	WARN_ONCE(1, "%s: no integer\n", field->field_name);
	return 0;
}

static void write_member(const struct ib_field *field, u8 *member, u64 value)
{
	switch (field->struct_size_bytes) {
	case 1:
		*member = value;
		return;
	case 2:
		put_unaligned_be16(value, member);
		return;
	case 4:
		put_unaligned_be32(value, member);
		return;
	case 8:
		put_unaligned_be64(value, member);
		return;
	}
	WARN_ONCE(1, "%s: no integer\n", field->field_name);
}

static void pack_bits(const struct ib_field *field, const u8 *member, u8 *word)
{
	u64 mask = mask_of(field);
	u64 value = read_member(field, member) << shift_of(field);

	store(field, word, (load(field, word) & ~mask) | (value & mask));
}

static void unpack_bits(const struct ib_field *field, const u8 *word, u8 *member)
{
	write_member(field, member, (load(field, word) & mask_of(field)) >> shift_of(field));
}

static bool is_bytes(const struct ib_field *field)
{
	if (field->size_bits <= 64)
		return false;
	WARN_ONCE((field->offset_bits | field->size_bits) % 8, "%s: no bytes\n", field->field_name);
	return true;
}

/**
 * ib_pack - structure to wire
 * @desc: the fields
 * @desc_len: their number
 * @structure: where their members are
 * @buf: the wire format. Reserved fields become 0, bits that no field describes stay.
 *
 * Context: Any.
 */
void ib_pack(const struct ib_field *desc, int desc_len, void *structure, void *buf)
{
	const struct ib_field *field;

	for (field = desc; field < desc + desc_len; field++) {
		u8 *member = structure + field->struct_offset_bytes;
		u8 *word = buf + field->offset_words * 4;

		if (!is_bytes(field))
			pack_bits(field, member, word);
		else if (field->struct_size_bytes)
			memcpy(word + field->offset_bits / 8, member, field->size_bits / 8);
		else
			memset(word + field->offset_bits / 8, 0, field->size_bits / 8);
	}
}
EXPORT_SYMBOL(ib_pack);

/**
 * ib_unpack - wire to structure
 * @desc: the fields
 * @desc_len: their number
 * @buf: the wire format
 * @structure: where their members are. Other members stay.
 *
 * Context: Any.
 */
void ib_unpack(const struct ib_field *desc, int desc_len, void *buf, void *structure)
{
	const struct ib_field *field;

	for (field = desc; field < desc + desc_len; field++) {
		u8 *member = structure + field->struct_offset_bytes;
		const u8 *word = buf + field->offset_words * 4;

		if (!field->struct_size_bytes)
			continue;
		if (is_bytes(field))
			memcpy(member, word + field->offset_bits / 8, field->size_bits / 8);
		else
			unpack_bits(field, word, member);
	}
}
EXPORT_SYMBOL(ib_unpack);
