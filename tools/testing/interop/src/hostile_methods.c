// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <ctype.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "check.h"
#include "hostile.h"
#include "uverbs.h"

/*
 * Methods. A form names the attributes: number; then # a handle or file, < what goes in, > what
 * comes out, = a constant, each with the kind of its value and its size; a question mark first:
 * it may be left out. At last, the command by which the driver knows it.
 */
static const struct form {
	uint16_t object, method;
	const char *attributes;
	uint32_t command;
} forms[] = {
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INFO_HANDLES, "0=t 1>4 2>32", 0 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT, "0=p 1>48", 0 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT, "?0>4 ?1>8 ?4097>64", 0 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_CONTEXT, "?0>4 ?1>8", 0 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE, "0=j ?1<z8 2>400 3>8", 0 },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_ENTRY, "0<p4 1<t4 2<z4 3>32", 0 },
	{ UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, "0#h", 0 },
	{ UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE,
	  "0#z 1<n4 2<u8 ?3#d 4<v4 ?5<t4 6>4 ?7#d 4097>64", IB_USER_VERBS_CMD_CREATE_CQ },
	{ UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_DESTROY, "0#h 1>8", 0 },
	{ UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE,
	  "0#z 2#P ?3#S 4#C 5#C 7<u8 8<n20 9=q ?10<t4 ?12#d 13>20 14>4 4097>64",
	  IB_USER_VERBS_CMD_CREATE_QP },
	{ UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE,
	  "0#z ?1#X ?2#P ?4#C ?5#C ?6#I 7<u8 8<n20 9=q ?10<t4 ?11<u4 13>20 14>4 4097>64",
	  IB_USER_VERBS_CMD_CREATE_QP },
	{ UVERBS_OBJECT_QP, UVERBS_METHOD_QP_DESTROY, "0#h 1>4", 0 },
	{ UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE,
	  "0#z 1#P ?2#X ?3#C 4<u8 5<n4 6<s4 7<t4 ?8<n4 9=t ?10#d 11>4 12>4 ?13>4 4097>64",
	  IB_USER_VERBS_CMD_CREATE_SRQ },
	{ UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_DESTROY, "0#h 1>4", 0 },
	{ UVERBS_OBJECT_AH, UVERBS_METHOD_AH_DESTROY, "0#h", 0 },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_DM_MR_REG, "0#z 1<t8 2<t8 3#P 4<f4 5#D 6>4 7>4", 0 },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, "0#h", 0 },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_ADVISE_MR, "0#P 1=t 2<t4 3<a32", 0 },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR, "0#M 1>4 2>4 3>8 ?4>8", 0 },
	{ UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR,
	  "0#z 1#P 2<l8 3<l8 4<l8 5=d 6<f4 7>4 8>4", 0 },
	{ UVERBS_OBJECT_MW, UVERBS_METHOD_MW_DESTROY, "0#h", 0 },
	{ UVERBS_OBJECT_FLOW, UVERBS_METHOD_FLOW_DESTROY, "0#h", 0 },
	{ UVERBS_OBJECT_XRCD, UVERBS_METHOD_XRCD_DESTROY, "0#h", 0 },
	{ UVERBS_OBJECT_RWQ_IND_TBL, UVERBS_METHOD_RWQ_IND_TBL_DESTROY, "0#h", 0 },
	{ UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_DESTROY, "0#h 1>4", 0 },
	{ UVERBS_OBJECT_FLOW_ACTION, UVERBS_METHOD_FLOW_ACTION_DESTROY, "0#h", 0 },
	{ UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC, "0#z 1<l8 2<t4", 0 },
	{ UVERBS_OBJECT_DM, UVERBS_METHOD_DM_FREE, "0#h", 0 },
	{ UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_CREATE, "0#z", 0 },
	{ UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_DESTROY, "0#h", 0 },
	{ UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_READ, "0#K 1>64 ?2<z4", 0 },
	{ UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC, "0#z", 0 },
	/* Only for ours: stock takes it that there is a CQ. */
	{ UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_CREATE,
	  "0#z 1#P 2#C 3<u8 4=z ?5#d 6<n4 7<s4 8<z4 9>4 10>4 11>4 4097>64",
	  EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_WQ) },
};

/* What goes in, in the arena if it takes more room than the attribute has itself. */
static void add_input(struct attacker *attacker, struct method *method, uint16_t id, char kind,
		      size_t size)
{
	uint32_t *words = (uint32_t *)(attacker->arena + 49152 + 1024 * below(attacker, 8));
	uint64_t value;

	if (size <= 8) {
		value = value_of(attacker, kind);
		attr_in(method, id, &value, size);
		return;
	}
	for (size_t i = 0; i < size / 4; i++)
		words[i] = value_of(attacker, kind);
	attr_in(method, id, words, size);
}

/* Adds what one word of a form says. */
static void add(struct attacker *attacker, struct method *method, const char *word)
{
	bool optional = *word == '?';
	char *rest, what, kind = 0;
	unsigned int id;
	size_t size;

	if (optional && once_in(attacker, 2))
		return;
	id = strtoul(word + optional, &rest, 10);
	what = *rest++;
	if (isalpha(*rest))
		kind = *rest++;
	size = strtoul(rest, NULL, 10);
	if (what == '#')
		attr_id(method, id, value_of(attacker, kind));
	else if (what == '=')
		attr_const(method, id, value_of(attacker, kind));
	else if (what == '>')
		attr_out(method, id, attacker->arena + 65536 + 1024 * (id % 40), size);
	else
		add_input(attacker, method, id, kind, size);
}

static void add_all(struct attacker *attacker, struct method *method, const char *form)
{
	char word[16];
	int len;

	while (sscanf(form, "%15s%n", word, &len) == 1) {
		add(attacker, method, word);
		form += len;
	}
}

/* Some methods are commands by another name, and the driver wants to be told the same. */
static void add_driver_request(struct attacker *attacker, struct method *method,
			       const struct form *form)
{
	unsigned char *bytes = attacker->arena + 57344 + 64 * below(attacker, 8);
	size_t size = form->command ? driver_request(attacker, form->command, bytes) : 0;

	if (size)
		attr_in(method, UVERBS_ATTR_UHW_IN, bytes, size);
}

static void distort_attribute(struct attacker *attacker, struct method *method)
{
	struct ib_uverbs_attr *attr = &method->attrs[below(attacker, method->hdr.num_attrs)];

	switch (below(attacker, 9)) {
	case 0:
		*attr = method->attrs[--method->hdr.num_attrs];
		break;
	case 1:
		method->attrs[method->hdr.num_attrs++] = *attr;
		break;
	case 2:
		attr->len = once_in(attacker, 2) ? below(attacker, 65536) : below(attacker, 24);
		break;
	case 3:
		attr->flags ^= 1 << below(attacker, 16);
		break;
	case 4:
		attr->attr_data.reserved = chance(attacker);
		break;
	case 5:
		attr->data = once_in(attacker, 2) ? bad_address(attacker) : chance(attacker);
		break;
	case 6:
		attr->attr_id = below(attacker, 24) | (once_in(attacker, 2) ? 0x1000 : 0);
		break;
	case 7:
		attr->attr_id = chance(attacker);
		break;
	case 8:
		attr->data = (uintptr_t)attacker->frame + FRAME_SIZE - below(attacker, 16);
		break;
	}
}

static void distort_header(struct attacker *attacker, struct method *method)
{
	uint32_t bit = below(attacker, 8 * sizeof(method->hdr));

	switch (below(attacker, 4)) {
	case 0:
		method->hdr.method_id = below(attacker, 32);
		break;
	case 1:
		method->hdr.object_id = below(attacker, 32) | (once_in(attacker, 2) ? 0x1000 : 0);
		break;
	default:
		((unsigned char *)&method->hdr)[bit / 8] ^= 1 << (bit % 8);
		break;
	}
}

/* The call lies at the end of the page, so that what it says of its length can be a lie. */
static int call(struct attacker *attacker, const struct method *method)
{
	unsigned char *at = attacker->frame + FRAME_SIZE - method->hdr.length;

	if (once_in(attacker, 64))
		return ioctl(file_of(attacker), chance(attacker), bad_address(attacker));
	if (method->hdr.length > sizeof(*method))
		at = attacker->frame;
	memcpy(at, method, at == attacker->frame ? sizeof(*method) : method->hdr.length);
	if (once_in(attacker, 64))
		at += below(attacker, 64);
	return ioctl(file_of(attacker), RDMA_VERBS_IOCTL, at);
}

int hostile_method(struct attacker *attacker)
{
	size_t count = sizeof(forms) / sizeof(forms[0]);
	const struct form *form = &forms[below(attacker, with_ours() ? count : count - 1)];
	struct method method = method_of(form->object, form->method);

	add_all(attacker, &method, form->attributes);
	add_driver_request(attacker, &method, form);
	while (method.hdr.num_attrs && method.hdr.num_attrs < MAX_ATTRS && once_in(attacker, 4))
		distort_attribute(attacker, &method);
	method.hdr.length = sizeof(method.hdr) + method.hdr.num_attrs * sizeof(method.attrs[0]);
	if (once_in(attacker, 16))
		distort_header(attacker, &method);
	return call(attacker, &method);
}
