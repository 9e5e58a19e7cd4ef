/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "control/words.h"

static char line[1024];
static char *words[WORDS_MAX];

static int split(const char *text)
{
	snprintf(line, sizeof(line), "%s", text);
	return words_split(line, words);
}

static void blanks_separate(void **state)
{
	(void)state;
	assert_int_equal(split(""), 0);
	assert_int_equal(split(" \t "), 0);
	assert_int_equal(split("  link \t down  7"), 3);
	assert_string_equal(words[0], "link");
	assert_string_equal(words[1], "down");
	assert_string_equal(words[2], "7");
	assert_int_equal(split("one "), 1);
	assert_string_equal(words[0], "one");
}

static void quotes_keep_blanks(void **state)
{
	(void)state;
	assert_int_equal(split("link 'a b' \"c  d\" e\\ f"), 4);
	assert_string_equal(words[1], "a b");
	assert_string_equal(words[2], "c  d");
	assert_string_equal(words[3], "e f");
}

static void quotes_may_stand_within_a_word(void **state)
{
	(void)state;
	assert_int_equal(split("a'b c'd \"it's\" 'say \"x\"' 'it'\\''s'"), 4);
	assert_string_equal(words[0], "ab cd");
	assert_string_equal(words[1], "it's");
	assert_string_equal(words[2], "say \"x\"");
	assert_string_equal(words[3], "it's");
}

static void an_empty_word_can_be_quoted(void **state)
{
	(void)state;
	assert_int_equal(split("a '' \"\""), 3);
	assert_string_equal(words[1], "");
	assert_string_equal(words[2], "");
}

static void backslash_is_plain_in_single_quotes(void **state)
{
	(void)state;
	assert_int_equal(split("'a\\b' \"c\\\"d\" e\\\\f"), 3);
	assert_string_equal(words[0], "a\\b");
	assert_string_equal(words[1], "c\"d");
	assert_string_equal(words[2], "e\\f");
}

static void what_is_not_closed_is_refused(void **state)
{
	(void)state;
	assert_int_equal(split("a 'b"), -EINVAL);
	assert_int_equal(split("a \"b'"), -EINVAL);
	assert_int_equal(split("a \\"), -EINVAL);
	assert_int_equal(split("'"), -EINVAL);
}

static void too_many_words_are_refused(void **state)
{
	char text[2 * WORDS_MAX + 3] = "";

	(void)state;
	for (int i = 0; i < WORDS_MAX; i++)
		strcat(text, "x ");
	assert_int_equal(split(text), WORDS_MAX);
	strcat(text, "x");
	assert_int_equal(split(text), -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_separate),
		cmocka_unit_test(quotes_keep_blanks),
		cmocka_unit_test(quotes_may_stand_within_a_word),
		cmocka_unit_test(an_empty_word_can_be_quoted),
		cmocka_unit_test(backslash_is_plain_in_single_quotes),
		cmocka_unit_test(what_is_not_closed_is_refused),
		cmocka_unit_test(too_many_words_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
