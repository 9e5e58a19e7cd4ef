/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Memory keys: the right of a protection domain to a range of addresses, and where that range lies
 * in guest memory (IBTA vol. 1, 10.6).
 */
#ifndef IBEMU_MKEY_H
#define IBEMU_MKEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hca/dma.h"

struct hca;

enum hca_access {
	HCA_LOCAL_READ = 1,
	HCA_LOCAL_WRITE = 2,
	HCA_REMOTE_READ = 4,
	HCA_REMOTE_WRITE = 8,
	HCA_REMOTE_ATOMIC = 16,
};

enum hca_mkey_mode {
	HCA_MKEY_PHYSICAL, /* addresses are bus addresses */
	HCA_MKEY_PAGES,    /* addresses from start on lie in a list of pages */
	HCA_MKEY_INDIRECT, /* they lie behind other keys, one part after another */
	HCA_MKEY_BLOCKS,   /* the same, and each part is as long as a page */
};

/* A part of what an indirect key covers. */
struct hca_mkey_part {
	uint64_t end; /* bytes from the key's start to the end of this part; not of blocks */
	uint64_t addr;
	uint32_t key; /* of the same protection domain; its local rights count */
	uint32_t stride; /* of a repeated list: so much farther on each time */
};

/* In the address of a page that is paged on demand: what may be done with it now. */
#define HCA_PAGE_READ 1ull
#define HCA_PAGE_WRITE 2ull
#define HCA_PAGE_FLAGS 7ull

/* Entries of all lists of an adapter together, so that no guest takes all of the host's memory. */
#define HCA_LIST_ENTRIES (1u << 24)

/* Embedded in the chip's own object. */
struct hca_mkey {
	uint32_t index;  /* a key is index << 8 | variant */
	uint8_t variant; /* chosen by software, so that a key can be changed without a new index */
	uint8_t access;  /* enum hca_access, or-ed */
	bool free;       /* allocated, but invalid for any access */
	bool revocable;  /* work requests may invalidate it: fast registration, type 2 windows */
	/* only for this queue pair (type 2B windows); 0: for all of the protection domain */
	uint32_t qpn;
	bool whole;      /* no bounds: the whole address space, or what the list has of it */
	enum hca_mkey_mode mode;
	uint32_t pd;
	uint64_t start, len;
	uint8_t log_page_size;
	uint32_t room;    /* entries that its list may have */
	uint32_t charged; /* how many of the adapter's HCA_LIST_ENTRIES it has */
	bool demand_paged; /* each page says by HCA_PAGE_READ and HCA_PAGE_WRITE if it's there */
	uint32_t page_count; /* entries in use: from the first to the last that was set */
	/* owned; bus addresses. The first byte is at start's offset in the first page. */
	uint64_t *pages;
	uint32_t part_count;
	struct hca_mkey_part *parts; /* owned; in their order */
	/* indirect: the parts follow one another so many times (interleaved memory); 0: once */
	uint32_t repeats;
};

/* A valid key must be so: its range doesn't wrap around, and pages or parts cover it. */
bool hca_mkey_is_sound(const struct hca_mkey *mkey);
/*
 * Gives the key its number. 0, -ENOSPC, or -EINVAL: it's neither free nor sound. On failure, pages
 * and parts stay the caller's.
 */
int hca_mkey_create(struct hca *hca, struct hca_mkey *mkey);
void hca_mkey_destroy(struct hca *hca, struct hca_mkey *mkey);
struct hca_mkey *hca_mkey_find(struct hca *hca, uint32_t index);

/* mkey_list.c: a list with all the entries that the key has room for, empty. 0 or -ENOMEM. */
int hca_mkey_reserve(struct hca *hca, struct hca_mkey *mkey);
void hca_mkey_drop_list(struct hca *hca, struct hca_mkey *mkey);

/* The key if [addr, addr + len) may be accessed so from this protection domain, or NULL. */
const struct hca_mkey *hca_mkey_check(struct hca *hca, uint32_t key, uint32_t pd, uint64_t addr,
				      uint64_t len, unsigned int access);
/*
 * Makes a key invalid, on behalf of a work request or of the other side. False: it isn't one that
 * may be.
 */
bool hca_mkey_invalidate(struct hca *hca, uint32_t key, uint32_t pd, uint32_t qpn);
/*
 * The bus address of addr, which hca_mkey_check() has found good, also behind other keys; *len is
 * cut short where the contiguous memory ends. 0, -EFAULT: a key on the way there gives no access,
 * -EAGAIN: the page isn't there now.
 */
int hca_mkey_resolve(struct hca *hca, const struct hca_mkey *mkey, uint64_t addr, size_t *len,
		     enum dma_dir dir, uint64_t *bus);

/*
 * Between a buffer and memory that hca_mkey_check() has found good. 0, -EFAULT (also when the guest
 * lacks that memory) or -EAGAIN.
 */
int hca_mkey_transfer(struct hca *hca, const struct hca_mkey *mkey, uint64_t addr, void *buf,
		      size_t len, enum dma_dir dir);

/*
 * The same with the check: DMA_READ needs local read, DMA_WRITE local write. 0, -EFAULT or -EAGAIN.
 */
int hca_mkey_copy(struct hca *hca, uint32_t lkey, uint32_t pd, uint64_t addr, void *buf, size_t len,
		  enum dma_dir dir);

#endif
