/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include "control/words.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/*
 * Moves a word to the front of the place where it stands, without its quotes. What follows it, or
 * NULL: not closed.
 */
static char *take_word(char *at)
{
	char *to = at, quote = 0;

	for (; *at && (quote || !is_blank(*at)); at++) {
		if (*at == '\\' && quote != '\'') {
			if (!*++at)
				return NULL;
			*to++ = *at;
		} else if (*at == quote) {
			quote = 0;
		} else if (!quote && (*at == '\'' || *at == '"')) {
			quote = *at;
		} else {
			*to++ = *at;
		}
	}
	if (quote)
		return NULL;
	if (*at)
		at++;
	*to = '\0';
	return at;
}

int words_split(char *line, char *words[WORDS_MAX])
{
	int count = 0;

	for (;;) {
		line += strspn(line, " \t");
		if (!*line)
			return count;
		if (count == WORDS_MAX)
			return -E2BIG;
		words[count++] = line;
		line = take_word(line);
		if (!line)
			return -EINVAL;
	}
}
