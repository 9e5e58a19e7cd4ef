// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <fcntl.h>
#include <glob.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "uverbs.h"

/* Which device the tests use, and the controls of one without hardware. */

const char *device_name(void)
{
	static char name[64];
	const char *port = getenv("PORT_A");

	if (!name[0]) {
		CHECK(port, "PORT_A isn't set");
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(port, "/"), port);
	}
	return name;
}

static void read_line(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");

	text[0] = 0;
	if (!file)
		return;
	if (fgets(text, size, file))
		text[strcspn(text, "\n")] = 0;
	fclose(file);
}

const char *device_path(void)
{
	static char path[300];
	char device[64];
	glob_t found;

	CHECK_EQ(glob("/sys/class/infiniband_verbs/uverbs*/ibdev", 0, NULL, &found), 0);
	path[0] = 0;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		read_line(found.gl_pathv[i], device, sizeof(device));
		*strrchr(found.gl_pathv[i], '/') = 0;
		if (!strcmp(device, device_name()))
			snprintf(path, sizeof(path), "/dev/infiniband%s",
				 strrchr(found.gl_pathv[i], '/'));
	}
	globfree(&found);
	CHECK(path[0], "%s has no node", device_name());
	return path;
}

uint32_t driver_id(void)
{
	static const struct {
		const char *prefix;
		uint32_t id;
	} drivers[] = {
		{ "null", RDMA_DRIVER_UNKNOWN },
		{ "rxe", RDMA_DRIVER_RXE },
		{ "mlx5", RDMA_DRIVER_MLX5 },
		{ "mlx4", RDMA_DRIVER_MLX4 },
	};

	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (!strncmp(device_name(), drivers[i].prefix, strlen(drivers[i].prefix)))
			return drivers[i].id;
	check_failed(__FILE__, __LINE__, "driver_id", "whose device is %s?", device_name());
}

bool device_is_null(void)
{
	return driver_id() == RDMA_DRIVER_UNKNOWN;
}

static int open_control(const char *control, int flags)
{
	char path[200];

	snprintf(path, sizeof(path), "/sys/kernel/debug/nullhca/%s/%s", device_name(), control);
	return CHECK_OK(open(path, flags));
}

void null_set(const char *control, long long value)
{
	int fd = open_control(control, O_WRONLY);

	CHECK_OK(dprintf(fd, "%lld\n", value));
	close(fd);
}

long long null_get(const char *control)
{
	int fd = open_control(control, O_RDONLY);
	char text[32] = "";

	CHECK_OK(read(fd, text, sizeof(text) - 1));
	close(fd);
	return strtoll(text, NULL, 0);
}

void null_fail(const char *operation, unsigned int nth, int error)
{
	char control[64];

	snprintf(control, sizeof(control), "%s/calls", operation);
	null_set(control, 0);
	snprintf(control, sizeof(control), "%s/error", operation);
	null_set(control, error);
	snprintf(control, sizeof(control), "%s/fail_at", operation);
	null_set(control, nth);
}
