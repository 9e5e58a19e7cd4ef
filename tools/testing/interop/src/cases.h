/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_CASES_H
#define INTEROP_CASES_H

#include <stddef.h>

/* One test case: it returns if all is well, and ends the process if not (check.h). */
struct test_case {
	const char *name;
	void (*run)(void);
};

/* Runs the named cases, each in a process of its own, or lists them. Returns an exit status. */
int run_cases(const struct test_case *const tables[], size_t count, char **names);

/* Each table ends with an empty entry. Of umadtest: */
extern const struct test_case agent_cases[];	/* registering and unregistering agents */
extern const struct test_case send_cases[];	/* single MADs: write, read, poll, timeouts */
extern const struct test_case bad_write_cases[];	/* what write() must refuse */
extern const struct test_case rmpp_cases[];	/* transfers of many segments */
extern const struct test_case unplug_cases[];	/* the device goes while files are open */
extern const struct test_case load_cases[];	/* floods, and clients that die */
extern const struct test_case mixed_cases[];	/* subnet and general management at once */
extern const struct test_case mad_cases[];	/* RMPP, and refusals, of the MAD layer */

/* Of eventtest: */
extern const struct test_case completion_cases[];	/* arming, solicited events, moderation */
extern const struct test_case async_cases[];	/* of queue pairs and their queues */
extern const struct test_case devx_cases[];	/* mlx5: objects and events past the verbs */
extern const struct test_case unplugged_cases[];	/* the device goes while it's in use */

/* Of verbstest: */
extern const struct test_case command_cases[];	/* each command as it should be used */
extern const struct test_case frame_cases[];	/* headers, sizes and handles that are wrong */
extern const struct test_case method_cases[];	/* what only ioctls can do */
extern const struct test_case event_cases[];	/* event files, and what is read from them */
extern const struct test_case trust_cases[];	/* who may hand a command over, and how */
extern const struct test_case number_cases[];	/* counts, sizes and addresses that wrap */
extern const struct test_case refusal_cases[];	/* the driver, or the kernel, can't */
extern const struct test_case byte_cases[];	/* bytes of answers that nobody wrote */
extern const struct test_case race_cases[];	/* two calls that want the same object */
extern const struct test_case removal_cases[];	/* the device goes while files are open */

/* Of mlx5test: */
extern const struct test_case mlx5_dc_cases[];	/* DC by the reserved types */
extern const struct test_case mlx5_queue_cases[];	/* sizes, limits, missing parts */
extern const struct test_case mlx5_memory_cases[];	/* regions */
extern const struct test_case mlx5_life_cases[];	/* all that there is, made and unmade */
extern const struct test_case mlx5_number_cases[];	/* numbers that go from hand to hand */

#endif
