// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A device is registered and unregistered, each in a window for the plugin.
 *
 * usage: count-plug FILE       (the control "plugged" of a slot of nullhca, with a device in it)
 */
#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"

enum { REPETITIONS = 20, SETTLE_US = 300000 };

static void write_in_window(int fd, const char *value, const char *name)
{
	ssize_t written;

	usleep(SETTLE_US); /* what clients do later isn't in any window */
	mark_begin();
	written = write(fd, value, 1);
	mark_end(name);
	CHECK_EQ(written, 1);
}

int main(int argc, char **argv)
{
	int fd;

	CHECK_EQ(argc, 2);
	fd = CHECK_OK(open(argv[1], O_WRONLY));
	for (int i = 0; i < REPETITIONS; i++) {
		write_in_window(fd, "0", "unregister_device");
		write_in_window(fd, "1", "register_device");
	}
	return 0;
}
