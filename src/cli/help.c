#include "cli/help.h"

#include <string.h>

static void command_line(FILE *out, const struct drg_command *c)
{
	enum { HELP_AT = 22 };
	int used = fprintf(out, "  %s%s%s", c->name, c->args[0] != '\0' ? " " : "", c->args);
	if (used > HELP_AT - 2) /* on a line of its own */
		used = fprintf(out, "\n") - 1;
	fprintf(out, "%*s%s\n", HELP_AT - used, "", c->help);
}

void drg_help_all(FILE *out)
{
	fputs("usage: dragoman COMMAND [OPTIONS] [ARGUMENTS]\n\n"
	      "Travel reference lists, and supplier identifiers translated to them.\n\ncommands:\n",
	      out);
	for (const struct drg_command *c = drg_commands; c->name != NULL; c++)
		command_line(out, c);
	fputs("\n'dragoman help COMMAND' describes one of them; 'dragoman --version' prints the version.\n",
	      out);
}

bool drg_help_group(FILE *out, const char *word)
{
	bool any = false;
	size_t n = strlen(word);
	for (const struct drg_command *c = drg_commands; c->name != NULL; c++) {
		if (strncmp(c->name, word, n) != 0 || c->name[n] != ' ')
			continue;
		if (!any)
			fprintf(out, "usage: dragoman %s COMMAND [OPTIONS] [ARGUMENTS]\n\ncommands:\n", word);
		any = true;
		command_line(out, c);
	}
	return any;
}

void drg_help_command(FILE *out, const struct drg_command *c)
{
	fprintf(out, "usage: dragoman %s [OPTIONS]%s%s\n\n%s\n\noptions:\n", c->name,
	        c->args[0] != '\0' ? " " : "", c->args, c->help);
	drg_options_help(out, c->options);
	const struct drg_option *last = c->options;
	while (last[1].name != NULL)
		last++;
	char name[DRG_SETTING_NAME];
	drg_setting_name(c->name, last, name);
	fprintf(out,
	        "\nEach may stand in the file of --config (as %s = ...) or in the environment (in capitals,\n"
	        "with _ for -, behind DRAGOMAN_); 'dragoman config show %s' says what does.\n",
	        name, c->name);
}
