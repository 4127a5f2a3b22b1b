// SPDX-License-Identifier: GPL-2.0-only
/* Outputs appear whole or not at all. */
#include "export/outfile.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/sinks.h"
#include "tests/test.h"

static struct outfile *open_and_write(const char *path, bool force)
{
	struct error err;
	struct outfile *o = outfile_open(path, force, &err);

	assert_non_null(o);
	fputs("new", outfile_stream(o));
	return o;
}

static void assert_content(const char *path, const char *want)
{
	char *got = scratch_read(path);

	assert_non_null(got);
	assert_string_equal(got, want);
	free(got);
}

static void appears_at_the_end(void **state)
{
	const char *path = scratch_path(state, "x.csv");
	struct outfile *o = open_and_write(path, false);
	struct error err;
	struct stat st;
	mode_t mask = umask(0);

	umask(mask);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(scratch_count(*state), 1); /* the temporary one is in the same folder */
	assert_int_equal(outfile_finish(o, &err), 0);
	assert_content(path, "new");
	assert_int_equal(scratch_count(*state), 1);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0666 & ~mask);
}

static void abandoned_leaves_nothing(void **state)
{
	struct error err;
	struct outfile *o;

	outfile_abandon(NULL);
	outfile_abandon(open_and_write(scratch_path(state, "x"), false));
	o = outfile_open_folder(scratch_path(state, "y/"), ".csv", false, &err);
	assert_non_null(o);
	scratch_write(scratch_path(state, "../outside"), ""); /* not ours, not touched */
	outfile_abandon(o);
	assert_int_equal(scratch_count(*state), 0);
	unlink(scratch_path(state, "../outside"));
}

static void refuses_what_exists(void **state)
{
	const char *path = scratch_path(state, "x.csv");
	struct error err;
	char want[200];

	scratch_write(path, "old");
	assert_null(outfile_open(path, false, &err));
	snprintf(want, sizeof(want), "%s exists (use --force to replace it)", path);
	assert_string_equal(err.text, want);
	assert_content(path, "old");
	outfile_abandon(open_and_write(path, true));
	assert_content(path, "old");
	assert_int_equal(outfile_finish(open_and_write(path, true), &err), 0);
	assert_content(path, "new");
	assert_null(outfile_open(*state, true, &err));
	assert_null(outfile_open(scratch_path(state, "no/such/folder"), true, &err));
	snprintf(want, sizeof(want), "cannot write %s: No such file or directory", scratch_path(state, "no/such/folder"));
	assert_string_equal(err.text, want);
	assert_int_equal(scratch_count(*state), 1);
}

/* Made by somebody else while we were writing: not replaced without force. */
static void late_rival_wins(void **state)
{
	const char *path = scratch_path(state, "x.csv");
	struct outfile *o = open_and_write(path, false);
	struct error err;

	scratch_write(path, "rival");
	assert_int_equal(outfile_finish(o, &err), -1);
	assert_content(path, "rival");
	assert_int_equal(scratch_count(*state), 1);
}

static void link_stays_a_link(void **state)
{
	const char *target = scratch_path(state, "target"), *path = scratch_path(state, "link");
	struct error err;
	struct stat st;

	scratch_write(target, "old");
	assert_int_equal(symlink("target", path), 0);
	assert_int_equal(outfile_finish(open_and_write(path, true), &err), 0);
	assert_content(target, "new");
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

static void write_in_folder(struct outfile *o, const char *name)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", outfile_temporary(o), name);
	scratch_write(path, name);
}

static void folders(void **state)
{
	const char *path = scratch_path(state, "out/");
	struct error err;
	struct outfile *o = outfile_open_folder(path, ".csv", false, &err);

	assert_non_null(o);
	write_in_folder(o, "a.csv");
	write_in_folder(o, "b.csv");
	assert_int_equal(outfile_finish(o, &err), 0);
	assert_int_equal(scratch_count(path), 2);
	assert_int_equal(scratch_count(*state), 1);

	assert_null(outfile_open_folder(path, ".csv", false, &err));
	o = outfile_open_folder(path, ".csv", true, &err);
	assert_non_null(o);
	write_in_folder(o, "c.csv");
	assert_int_equal(outfile_finish(o, &err), 0);
	assert_int_equal(scratch_count(path), 1);
	assert_content(scratch_path(state, "out/c.csv"), "c.csv");
	assert_int_equal(scratch_count(*state), 1);

	scratch_write(scratch_path(state, "out/notes.txt"), "mine");
	assert_null(outfile_open_folder(path, ".csv", true, &err));
	assert_non_null(strstr(err.text, "it holds 'notes.txt', which is not one of our outputs"));
	assert_content(scratch_path(state, "out/notes.txt"), "mine");

	scratch_write(scratch_path(state, "file"), "old");
	assert_null(outfile_open_folder(scratch_path(state, "file"), ".csv", true, &err));
	assert_content(scratch_path(state, "file"), "old");
}

/* Something of the user's came into the old folder while we were writing. */
static void late_file_in_a_folder_is_kept(void **state)
{
	const char *path = scratch_path(state, "out/");
	struct error err;
	struct outfile *o = outfile_open_folder(path, ".csv", false, &err);

	write_in_folder(o, "a.csv");
	assert_int_equal(outfile_finish(o, &err), 0);
	o = outfile_open_folder(path, ".csv", true, &err);
	write_in_folder(o, "b.csv");
	scratch_write(scratch_path(state, "out/mine"), "mine");
	assert_int_equal(outfile_finish(o, &err), -1);
	assert_content(scratch_path(state, "out/mine"), "mine");
	assert_content(scratch_path(state, "out/a.csv"), "a.csv");
	assert_int_equal(scratch_count(*state), 1);
}

static void on_signal(int signal)
{
	outfile_remove_all();
	_exit(128 + signal);
}

static void signal_removes_all(void **state)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		struct error err;
		struct outfile *folder;

		signal(SIGTERM, on_signal);
		open_and_write(scratch_path(state, "a.csv"), false);
		open_and_write(scratch_path(state, "b.csv"), false);
		folder = outfile_open_folder(scratch_path(state, "c"), ".csv", false, &err);
		for (int i = 0; i < 300; i++) {
			char name[40];

			snprintf(name, sizeof(name), "a_name_of_some_length_%d.csv", i);
			write_in_folder(folder, name);
		}
		if (scratch_count(*state) == 3)
			raise(SIGTERM);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 128 + SIGTERM);
	assert_int_equal(scratch_count(*state), 0);
}

static void devices_are_written_in_place(void **state)
{
	struct error err;
	struct outfile *o = outfile_open("/dev/null", false, &err);
	struct stat st;

	(void)state;
	assert_non_null(o);
	assert_null(outfile_temporary(o));
	fputs("x", outfile_stream(o));
	assert_int_equal(outfile_finish(o, &err), 0);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));

	o = outfile_open("/dev/full", false, &err);
	if (!o)
		skip();
	fputs("x", outfile_stream(o));
	assert_int_equal(outfile_finish(o, &err), -1);
	assert_string_equal(err.text, "cannot write /dev/full: No space left on device");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

static const struct CMUnitTest tests[] = {
	TEST(appears_at_the_end), TEST(abandoned_leaves_nothing), TEST(refuses_what_exists),
	TEST(late_rival_wins),    TEST(link_stays_a_link),        TEST(folders),
	TEST(late_file_in_a_folder_is_kept), TEST(signal_removes_all), TEST(devices_are_written_in_place),
};

TEST_MODULE(outfile, tests);
