/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_CASES_H
#define INTEROP_CASES_H

/* One test case: it returns if all is well, and ends the process if not (check.h). */
struct umad_case {
	const char *name;
	void (*run)(void);
};

/* Each table ends with an empty entry. */
extern const struct umad_case agent_cases[];	/* registering and unregistering agents */
extern const struct umad_case send_cases[];	/* single MADs: write, read, poll, timeouts */
extern const struct umad_case bad_write_cases[];	/* what write() must refuse */
extern const struct umad_case rmpp_cases[];	/* transfers of many segments */
extern const struct umad_case unplug_cases[];	/* the device goes while files are open */
extern const struct umad_case load_cases[];	/* floods, and clients that die */
extern const struct umad_case mad_cases[];	/* RMPP, and refusals, of the MAD layer */

#endif
