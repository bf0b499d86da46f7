#include "cli/help.h"

#include <string.h>

void drg_help_all(FILE *out)
{
	fputs("usage: dragoman COMMAND [OPTIONS] [ARGUMENTS]\n\n"
	      "Travel reference lists, and supplier identifiers translated to them.\n\ncommands:\n",
	      out);
	for (const struct drg_command *c = drg_commands; c->name != NULL; c++) {
		int used = fprintf(out, "  %s %s", c->name, c->args);
		fprintf(out, "%*s%s\n", used < 20 ? 20 - used : 1, "", c->help);
	}
	fputs("\n'dragoman help COMMAND' describes one of them; 'dragoman --version' prints the version.\n",
	      out);
}

static void option_line(FILE *out, const struct drg_option *o)
{
	int used =
	        fprintf(out, "  --%s%s%s", o->name, o->arg != NULL ? " " : "", o->arg != NULL ? o->arg : "");
	fprintf(out, "%*s%s", used < 28 ? 28 - used : 1, "", o->doc);
	if (o->dflt != NULL)
		fprintf(out, " (default: %s)", o->dflt);
	if (o->env != NULL)
		fprintf(out, " (or the environment variable %s)", o->env);
	fputc('\n', out);
}

void drg_help_command(FILE *out, const struct drg_command *c)
{
	fprintf(out, "usage: dragoman %s [OPTIONS]%s%s\n\n%s\n\noptions:\n", c->name,
	        c->args[0] != '\0' ? " " : "", c->args, c->help);
	for (const struct drg_option *o = c->options; o->name != NULL; o++)
		option_line(out, o);
}
