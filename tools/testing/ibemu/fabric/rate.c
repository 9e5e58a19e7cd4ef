// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Link widths and speeds: PortInfo's codes (IBTA vol. 1, 14.2.5.6) and the names that ibnetdiscover
 * prints.
 */
#include "fabric/model.h"

struct name {
	const char *text;
	uint8_t code;
};

/* Ascending: a port can do all that stand before its own. */
static const struct name widths[] = { { "1x", 1 }, { "4x", 2 }, { "8x", 4 }, { "12x", 8 } };
static const struct name speeds[] = { { "SDR", 1 }, { "DDR", 2 }, { "QDR", 4 } };
static const struct name ext_speeds[] = { { "FDR", 1 }, { "EDR", 2 }, { "HDR", 4 }, { "NDR", 8 } };

#define COUNT(names) (sizeof(names) / sizeof((names)[0]))

static uint8_t find(const struct name *names, size_t count, const char *text, size_t len)
{
	for (size_t i = 0; i < count; i++) {
		if (strlen(names[i].text) == len && !memcmp(names[i].text, text, len))
			return names[i].code;
	}
	return 0;
}

static const char *name_of(const struct name *names, size_t count, uint8_t code)
{
	for (size_t i = 0; i < count; i++) {
		if (names[i].code == code)
			return names[i].text;
	}
	return "?";
}

bool rate_parse(const char *text, struct link_rate *rate)
{
	const char *x = strchr(text, 'x');
	const char *speed = x ? x + 1 : "";
	struct link_rate found = { 0 };

	if (!x)
		return false;
	if (!strcmp(speed, "FDR10")) /* QDR but for the encoding, which nothing here can tell */
		speed = "QDR";
	found.width = find(widths, COUNT(widths), text, (size_t)(x + 1 - text));
	found.speed = find(speeds, COUNT(speeds), speed, strlen(speed));
	if (!found.speed) {
		found.speed_ext = find(ext_speeds, COUNT(ext_speeds), speed, strlen(speed));
		found.speed = 4;
		if (!found.speed_ext)
			return false;
	}
	if (!found.width)
		return false;
	*rate = found;
	return true;
}

void rate_print(const struct link_rate *rate, FILE *out)
{
	const char *speed = rate->speed_ext
				    ? name_of(ext_speeds, COUNT(ext_speeds), rate->speed_ext)
				    : name_of(speeds, COUNT(speeds), rate->speed);

	fprintf(out, "%s%s", name_of(widths, COUNT(widths), rate->width), speed);
}

/* A one-hot code and all the bits below it. */
static uint8_t up_to(uint8_t code)
{
	return (uint8_t)(code ? code * 2 - 1 : 0);
}

static uint8_t highest(unsigned int mask)
{
	return (uint8_t)(mask ? 1u << (31 - __builtin_clz(mask)) : 0);
}

struct link_rate rate_supported(const struct link_rate *rated)
{
	return (struct link_rate){ up_to(rated->width), up_to(rated->speed),
				   up_to(rated->speed_ext) };
}

struct link_rate rate_negotiate(const struct link_rate *a, const struct link_rate *b)
{
	struct link_rate both = { highest(a->width & b->width), highest(a->speed & b->speed),
				  highest(a->speed_ext & b->speed_ext) };

	if (!both.speed && !both.speed_ext)
		both.width = 0;
	return both;
}
