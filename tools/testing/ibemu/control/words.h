/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A command line cut into words, as a shell would: blanks separate, '...' and "..." and backslash
 * quote.
 */
#ifndef IBEMU_WORDS_H
#define IBEMU_WORDS_H

#define WORDS_MAX 64

/*
 * Cuts the line in place. The number of words, or -EINVAL (a quote isn't closed), -E2BIG (more than
 * WORDS_MAX).
 */
int words_split(char *line, char *words[WORDS_MAX]);

#endif
