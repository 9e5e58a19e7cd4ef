/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * ibemu: one process is one InfiniBand subnet, whose exposed HCAs are PCI devices on vfio-user
 * sockets.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/loop.h"
#include "base/slice.h"
#include "control/control.h"
#include "fabric/fabric.h"
#include "models.h"

#define HCAS_MAX 64

struct options {
	const char *topology, *sockets, *pcap, *log;
	struct model_options model;
};

struct hca {
	const struct model *model;
	void *device;
	char name[16]; /* hca0, hca1, ... in the order of the topology file */
};

struct emulator {
	struct loop *loop;
	struct fabric *fabric;
	struct hca hcas[HCAS_MAX];
	unsigned int hca_count;
	struct control *control;
	struct watch signals;
};

static const char usage[] =
	"usage: ibemu TOPOLOGY --sockets DIR [OPTION...]\n"
	"\n"
	"Emulates the InfiniBand subnet of a topology file. Each HCA that the file exposes is\n"
	"a PCI device on a vfio-user socket: DIR/hca0.sock, DIR/hca1.sock, ... in the order of\n"
	"the file. Commands of ibemuctl come in on DIR/control.sock. Prints \"ready\" when all\n"
	"sockets listen; SIGTERM or SIGINT ends it.\n"
	"\n"
	"  --sockets DIR    where the sockets are made; the folder must exist\n"
	"  --pcap FILE      capture all packets on all links from the start\n"
	"  --log FILE       append the log to a file instead of stderr\n"
	"  --verbose        log what guests do, too\n"
	"  --fuzz-reserved  noise where the device documents say reserved in command outputs\n"
	"  --seed N         of that noise (default 1)\n";

/* Options */

static bool parse_seed(const char *text, uint64_t *seed)
{
	char *end;

	errno = 0;
	*seed = strtoull(text, &end, 0);
	return !errno && *text && !*end;
}

/* Ends the process on --help and on wrong usage. */
static struct options parse_options(int argc, char **argv)
{
	static const struct option known[] = {
		{ "sockets", required_argument, NULL, 's' },
		{ "pcap", required_argument, NULL, 'p' },
		{ "log", required_argument, NULL, 'l' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "fuzz-reserved", no_argument, NULL, 'f' },
		{ "seed", required_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct options options = { .model.seed = 1 };
	bool wrong = false;
	int option;

	while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1) {
		switch (option) {
		case 's':
			options.sockets = optarg;
			break;
		case 'p':
			options.pcap = optarg;
			break;
		case 'l':
			options.log = optarg;
			break;
		case 'v':
			log_level = LOG_DEBUG;
			break;
		case 'f':
			options.model.fuzz_reserved = true;
			break;
		case 'n':
			wrong |= !parse_seed(optarg, &options.model.seed);
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			wrong = true;
		}
	}
	if (wrong || optind != argc - 1 || !options.sockets) {
		fputs(usage, stderr);
		exit(2);
	}
	options.topology = argv[optind];
	return options;
}

/* Control */

static struct hca *find_hca(struct emulator *emulator, const char *name)
{
	for (unsigned int i = 0; i < emulator->hca_count; i++)
		if (!strcmp(emulator->hcas[i].name, name))
			return &emulator->hcas[i];
	return NULL;
}

/* unplug HCA | pull HCA | plug HCA */
static int control_slot(struct emulator *emulator, int argc, char **argv, FILE *out)
{
	struct hca *hca = argc == 2 ? find_hca(emulator, argv[1]) : NULL;

	if (!hca) {
		fprintf(out, "usage: %s HCA, with HCA one of hca0, hca1, ...", argv[0]);
		return -EINVAL;
	}
	if (strcmp(argv[0], "unplug")) {
		hca->model->set_present(hca->device, !strcmp(argv[0], "plug"));
		return 0;
	}
	if (!hca->model->unplug(hca->device))
		return 0;
	fprintf(out, "%s: its client doesn't listen for unplug requests", hca->name);
	return -EINVAL;
}

static bool is_slot_command(const char *word)
{
	return !strcmp(word, "unplug") || !strcmp(word, "pull") || !strcmp(word, "plug");
}

static int set_log_level(int argc, char **argv, FILE *out)
{
	static const char *const names[] = { "error", "warning", "info", "debug" };

	for (int i = 0; argc == 2 && i < 4; i++)
		if (!strcmp(argv[1], names[i])) {
			log_level = (enum log_level)i;
			return 0;
		}
	fputs("usage: log error|warning|info|debug", out);
	return -EINVAL;
}

/* What ibemu itself has cost so far. */
static int print_cpu_time(FILE *out)
{
	struct timespec used;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used))
		return -errno;
	fprintf(out, "%lld us\n", used.tv_sec * 1000000ll + used.tv_nsec / 1000);
	return 0;
}

static int run_command(void *ctx, int argc, char **argv, FILE *out)
{
	struct emulator *emulator = ctx;
	struct hca *hca = find_hca(emulator, argv[0]);

	if (hca && argc > 1)
		return hca->model->control(hca->device, argc - 1, argv + 1, out);
	if (is_slot_command(argv[0]))
		return control_slot(emulator, argc, argv, out);
	if (!strcmp(argv[0], "log"))
		return set_log_level(argc, argv, out);
	if (!strcmp(argv[0], "cpu-time"))
		return print_cpu_time(out);
	return fabric_control(emulator->fabric, argc, argv, out);
}

/* Start and end. Each step says what went wrong. */

static bool path_in(char path[PATH_MAX], const char *folder, const char *name, const char *suffix)
{
	if (snprintf(path, PATH_MAX, "%s/%s%s", folder, name, suffix) < PATH_MAX)
		return true;
	log_error("%s: path too long", folder);
	return false;
}

static bool load_topology(struct emulator *emulator, const char *name)
{
	char error[256];
	FILE *file = fopen(name, "re");
	int failed;

	if (!file) {
		log_error("%s: %m", name);
		return false;
	}
	failed = fabric_load(emulator->fabric, file, name, error, sizeof(error));
	fclose(file);
	if (failed)
		log_error("%s", error);
	return !failed;
}

static bool start_capture(struct emulator *emulator, const char *file)
{
	char *words[3] = { "capture", "start", (char *)file };
	char *answer = NULL;
	size_t len;
	FILE *out = open_memstream(&answer, &len);
	int error = -ENOMEM;

	if (out) {
		error = fabric_control(emulator->fabric, 3, words, out);
		fclose(out);
	}
	if (error)
		log_error("--pcap: %s",
			  answer && *answer ? strtok(answer, "\n") : strerror(-error));
	free(answer);
	return !error;
}

static bool create_hca(struct emulator *emulator, struct fabric_node *node,
		       const struct options *options)
{
	struct hca *hca = &emulator->hcas[emulator->hca_count];
	char path[PATH_MAX];

	if (emulator->hca_count == HCAS_MAX) {
		log_error("%s: more than %d exposed HCAs", options->topology, HCAS_MAX);
		return false;
	}
	snprintf(hca->name, sizeof(hca->name), "hca%u", emulator->hca_count);
	hca->model = model_find(fabric_node_model(node));
	if (!hca->model) {
		log_error("%s: no such model of HCA: %s", options->topology,
			  fabric_node_model(node));
		return false;
	}
	if (!path_in(path, options->sockets, hca->name, ".sock"))
		return false;
	hca->device = hca->model->create(emulator->loop, node, path, &options->model);
	if (!hca->device) {
		log_error("%s: %m", path);
		return false;
	}
	emulator->hca_count++;
	log_info("%s: %s, \"%s\"", hca->name, hca->model->name, fabric_node_desc(node));
	return true;
}

static bool create_hcas(struct emulator *emulator, const struct options *options)
{
	struct fabric_node *node;

	for (unsigned int i = 0; (node = fabric_exposed(emulator->fabric, i)); i++)
		if (!create_hca(emulator, node, options))
			return false;
	if (!emulator->hca_count)
		log_warn("%s: no HCA is exposed", options->topology);
	return true;
}

static bool start_control(struct emulator *emulator, const struct options *options)
{
	char path[PATH_MAX];

	if (!path_in(path, options->sockets, "control", ".sock"))
		return false;
	emulator->control = control_create(emulator->loop, path, run_command, emulator);
	if (!emulator->control)
		log_error("%s: %m", path);
	return emulator->control;
}

static void on_signal(void *ctx, uint32_t epoll_events)
{
	struct emulator *emulator = ctx;

	(void)epoll_events;
	loop_stop(emulator->loop);
}

static bool catch_signals(struct emulator *emulator)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	emulator->signals = (struct watch){
		.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK),
		.ready = on_signal,
		.ctx = emulator,
	};
	if (emulator->signals.fd >= 0 && !loop_watch(emulator->loop, &emulator->signals, EPOLLIN))
		return true;
	log_error("signalfd: %m");
	return false;
}

/* Each interrupt of each guest is a file descriptor. */
static void raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static bool start(struct emulator *emulator, const struct options *options)
{
	int error = options->log ? log_open(options->log) : 0;

	if (error) {
		log_error("%s: %s", options->log, strerror(-error));
		return false;
	}
	raise_descriptor_limit();
	ask_for_short_slices();
	emulator->loop = loop_create();
	emulator->fabric = emulator->loop ? fabric_create(loop_sched(emulator->loop)) : NULL;
	if (!emulator->fabric) {
		log_error("%s", strerror(ENOMEM));
		return false;
	}
	return catch_signals(emulator) && load_topology(emulator, options->topology) &&
	       (!options->pcap || start_capture(emulator, options->pcap)) &&
	       create_hcas(emulator, options) && start_control(emulator, options);
}

static void stop(struct emulator *emulator)
{
	control_destroy(emulator->control);
	while (emulator->hca_count) {
		struct hca *hca = &emulator->hcas[--emulator->hca_count];

		hca->model->destroy(hca->device);
	}
	if (emulator->fabric)
		fabric_destroy(emulator->fabric);
	packet_drain_pool();
	if (emulator->signals.fd >= 0) {
		loop_unwatch(emulator->loop, &emulator->signals);
		close(emulator->signals.fd);
	}
	loop_destroy(emulator->loop);
}

int main(int argc, char **argv)
{
	static struct emulator emulator = { .signals.fd = -1 };
	const struct options options = parse_options(argc, argv);
	bool started = start(&emulator, &options);

	if (started) {
		puts("ready");
		fflush(stdout);
		loop_run(emulator.loop);
	}
	stop(&emulator);
	log_close();
	return started ? 0 : 1;
}
