/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef IBEMU_SLICE_H
#define IBEMU_SLICE_H

/*
 * The CPUs of guests spin while they wait for us, maybe on all cores that there are. Whoever asks
 * for short time slices is let in at once, and gets no more time than its share. Linux before 6.12
 * takes no notice.
 */
void ask_for_short_slices(void);

#endif
