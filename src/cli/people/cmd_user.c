/* dragoman user: people who may sign in. */
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cli/listing.h"
#include "cli/person.h"
#include "console/say.h"
#include "cli/store.h"
#include "access/people.h"
#include "access/reports.h"
#include "text/json.h"

/* ---- passwords ----------------------------------------------------------------------------------------- */

/* One more than the longest, so that a longer one is seen; and the end of the line. */
enum { USER_LINE = DRG_PASSWORD_MAX + 4 };

/* The first line. @return whether there was one. */
static bool user_read_line(FILE *from, char line[static USER_LINE])
{
	if (fgets(line, USER_LINE, from) == NULL)
		return false;
	line[strcspn(line, "\r\n")] = '\0';
	return true;
}

/* From the terminal, without showing it. */
static bool user_ask(const char *question, char line[static USER_LINE])
{
	struct termios before, quiet;
	if (tcgetattr(STDIN_FILENO, &before) != 0)
		return false;
	quiet = before;
	quiet.c_lflag &= ~(tcflag_t)ECHO;
	/* Before it is asked, or what is typed at once is shown and lost. */
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
	fprintf(stderr, "%s: ", question);
	bool read = user_read_line(stdin, line);
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
	fputc('\n', stderr);
	return read;
}

static int user_ask_twice(struct drg_cli *cli, char line[static USER_LINE])
{
	char again[USER_LINE];
	bool read = user_ask("Password", line) && user_ask("The same again", again);
	bool same = read && strcmp(line, again) == 0;
	sodium_memzero(again, sizeof again);
	return same ? DRG_OK
	            : drg_fail(&cli->err, DRG_EINVAL, DRG_R(invalid_password), "password",
	                       read ? "the two are not the same" : "there was no password");
}

static int user_read_password(struct drg_cli *cli, char line[static USER_LINE])
{
	const char *path = drg_opt_text(cli->options, "password-file");
	if (path == NULL && isatty(STDIN_FILENO))
		return user_ask_twice(cli, line);
	bool standard = path == NULL || strcmp(path, "-") == 0;
	FILE *file = standard ? stdin : fopen(path, "re");
	if (file == NULL)
		return drg_fail(&cli->err, DRG_EIO, NULL, "password-file", "%s: %s", path, strerror(errno));
	bool read = user_read_line(file, line);
	if (!standard)
		fclose(file);
	return read ? DRG_OK
	            : drg_fail(&cli->err, DRG_EINVAL, DRG_R(invalid_password), "password",
	                       "%s: there is no password: it has to be the first line",
	                       standard ? "standard input" : path);
}

static int user_hash_password(struct drg_cli *cli, char hash[static DRG_PASSWORD_HASH])
{
	char line[USER_LINE];
	int rc = user_read_password(cli, line);
	if (rc == DRG_OK)
		rc = drg_password_check(drg_str_c(line), &cli->err);
	if (rc == DRG_OK)
		rc = drg_password_hash(drg_str_c(line), hash, &cli->err);
	sodium_memzero(line, sizeof line);
	return rc;
}

/* ---- adding and changing ------------------------------------------------------------------------------- */

static struct drg_str user_name(const struct drg_cli *cli)
{
	return drg_str_c(drg_opt_args(cli->options, NULL)[0]);
}

int drg_cmd_user_add(struct drg_cli *cli)
{
	char hash[DRG_PASSWORD_HASH];
	struct drg_person_addition a = { .name = user_name(cli),
		                         .by = drg_person(cli),
		                         .role = (enum drg_person_role)drg_opt_word(cli->options, "role") };
	int rc = drg_person_name_check(a.name, &cli->err);
	if (rc == DRG_OK && !drg_opt_flag(cli->options, "no-password")) {
		rc = user_hash_password(cli, hash);
		a.hash = hash;
	}
	if (rc == DRG_OK)
		rc = drg_cli_txn(cli, DRG_STORE_CREATE, drg_person_add, &a);
	if (rc == DRG_OK)
		drg_print(stdout, "%.*s may sign in as %s\n", DRG_STR_ARG(a.name),
		          drg_person_role_words[a.role]);
	return rc;
}

static int user_set(struct drg_cli *cli, struct drg_person_change *c, const char *done, const char *already)
{
	c->name = user_name(cli);
	c->by = drg_person(cli);
	int rc = drg_cli_txn(cli, DRG_STORE_WRITE, drg_person_set, c);
	if (rc == DRG_OK)
		drg_print(stdout, "%.*s %s\n", DRG_STR_ARG(c->name), c->changed ? done : already);
	return rc;
}

int drg_cmd_user_role(struct drg_cli *cli)
{
	const char *word = drg_opt_args(cli->options, NULL)[1];
	struct drg_person_change c = { .role = -1, .disabled = -1 };
	for (int i = 0; drg_person_role_words[i] != NULL; i++)
		if (strcmp(word, drg_person_role_words[i]) == 0)
			c.role = i;
	if (c.role < 0)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "role",
		                "ROLE: expected viewer, curator or admin, found \"%.40s\"", word);
	return user_set(cli, &c, "has that role now", "has that role already");
}

int drg_cmd_user_password(struct drg_cli *cli)
{
	char hash[DRG_PASSWORD_HASH];
	struct drg_person_change c = { .role = -1, .disabled = -1, .hash = hash };
	int rc = user_hash_password(cli, hash);
	return rc == DRG_OK ? user_set(cli, &c, "has a new password; all sessions are over", "") : rc;
}

int drg_cmd_user_disable(struct drg_cli *cli)
{
	struct drg_person_change c = { .role = -1, .disabled = 1 };
	return user_set(cli, &c, "may sign in no more; all sessions are over", "was disabled already");
}

int drg_cmd_user_enable(struct drg_cli *cli)
{
	struct drg_person_change c = { .role = -1, .disabled = 0 };
	return user_set(cli, &c, "may sign in again", "was not disabled");
}

/* ---- list and history ------------------------------------------------------------------------------------ */

int drg_cmd_user_list(struct drg_cli *cli)
{
	return drg_cli_report(cli, &drg_users_report, drg_users_query, NULL, 0);
}

int drg_cmd_user_history(struct drg_cli *cli)
{
	size_t n;
	const char *const *args = drg_opt_args(cli->options, &n);
	struct drg_access_history h = { .sort = DRG_ACCESS_PERSON, .must_exist = n > 0 };
	h.name = n > 0 ? drg_str_c(args[0]) : DRG_STR("");
	return drg_cli_report(cli, &drg_access_report, drg_access_query, &h, 0);
}
