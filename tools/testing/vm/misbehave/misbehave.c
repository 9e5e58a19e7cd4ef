// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Does wrong on request, to show that the bench notices: insmod misbehave.ko how=warn
 */
#include <linux/module.h>
#include <linux/panic.h>
#include <linux/sched.h>

static char *how = "";
module_param(how, charp, 0);
MODULE_PARM_DESC(how, "warn, oops, panic or hang");

static int *nowhere;

static int __init misbehave_init(void)
{
	if (!strcmp(how, "warn")) {
		WARN(1, "misbehave: as asked\n");
		return 0;
	}
	if (!strcmp(how, "oops"))
		return *READ_ONCE(nowhere);
	if (!strcmp(how, "panic"))
		panic("misbehave: as asked");
	if (!strcmp(how, "hang")) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule();
		return 0;
	}
	return -EINVAL;
}

static void __exit misbehave_exit(void)
{
}

module_init(misbehave_init);
module_exit(misbehave_exit);
MODULE_DESCRIPTION("Faults on request, for the bench's own test");
MODULE_LICENSE("Dual BSD/GPL");
