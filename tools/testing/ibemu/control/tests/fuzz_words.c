/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Words of any line stay within the line; and quoting them again, the way ibemuctl does, gives the
 * same words.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "control/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *quote(char *to, const char *word)
{
	*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'') {
			memcpy(to, "'\\''", 4);
			to += 4;
		} else {
			*to++ = *word;
		}
	}
	*to++ = '\'';
	*to++ = ' ';
	return to;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = malloc(size + 1), *again = malloc(4 * size + 4 * WORDS_MAX + 1);
	char *words[WORDS_MAX], *words_again[WORDS_MAX], *end = again;
	int count;

	if (size)
		memcpy(line, data, size);
	line[size] = '\0';
	count = words_split(line, words);
	for (int i = 0; i < count; i++)
		end = quote(end, words[i]);
	*end = '\0';
	if (count >= 0) {
		if (words_split(again, words_again) != count)
			abort();
		for (int i = 0; i < count; i++)
			if (strcmp(words[i], words_again[i]))
				abort();
	}
	free(line);
	free(again);
	return 0;
}
