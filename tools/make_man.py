#!/usr/bin/python3
"""make_man.py dragoman.1|dragoman.conf.5|completion VERSION [SCDOC]: the manual page, or the completion for bash, on standard output.

Commands and options are those of src/cli/commands.c and options_*.c, as tools/check_docs.py reads them; scdoc makes the pages."""
import re
import subprocess
import sys

import check_docs

PAGE_1 = """dragoman(1) "" "dragoman VERSION"

# NAME

dragoman - reference lists for travel search, and suppliers' identifiers translated to them

# SYNOPSIS

*dragoman* _COMMAND_ [_OPTIONS_] [_ARGUMENTS_]++
*dragoman help* [_COMMAND_]++
*dragoman --version*

# DESCRIPTION

*dragoman serve* answers two HTTP APIs from memory: lists of countries, cities, hotels and what else a travel search is made of, and the
translation of suppliers' identifiers to them and back. The other commands load, map, export, check and look after the data.

Options are _--name value_ or _--name=value_, before or behind other arguments; *--* ends them; *-* alone is standard input.

# OPTIONS OF MANY COMMANDS

EVERYWHERE
# COMMANDS

COMMANDS
# ENVIRONMENT

Each option may stand in the environment or in the file of *--config*: *DRAGOMAN_LISTEN* and *listen* for *--listen* of *serve*,
*DRAGOMAN_KEY_CREATE_ROLE* and *key-create-role* for *--role* of *key create*. See *dragoman.conf*(5).

# SIGNALS

SIGTERM and SIGINT stop a server when what is under way has been answered; SIGHUP has it open its access log and read its settings again.

# EXIT STATUS

0: done. 1: the data or the service said no. 2: the command line or a setting is wrong. 3: *serve* could not stop within *--stop-timeout*,
and ended all the same.

# SEE ALSO

*dragoman.conf*(5)
"""

PAGE_5 = """dragoman.conf(5) "" "dragoman VERSION"

# NAME

dragoman.conf - settings of dragoman

# DESCRIPTION

A file that *--config* or the variable *DRAGOMAN_CONFIG* names, as the unit of the package does with _/etc/dragoman/dragoman.conf_. Each line
is _NAME_ = _VALUE_; a line that begins with # or ; is a comment, and so is what stands behind a ; with a space before it. A line has at most
198 bytes. There are no sections.

A flag is _yes_ or _no_. Several values of an option have commas between them, or lines of their own. An empty value is none. What the command
line says goes before the environment, this before the file, this before the default. A variable is the name of the setting in capitals, with
\\_ for -, behind DRAGOMAN\\_. A name that no command knows is an error.

*dragoman config check* finds mistakes, *dragoman config show* lists what is in force and where it comes from.

# SETTINGS OF SERVE, AND OF EVERY COMMAND

SERVE
# SETTINGS OF OTHER COMMANDS

OTHERS
# SEE ALSO

*dragoman*(1)
"""

COMPLETION = r"""# Completion of dragoman for bash.
_dragoman() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command= i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == -* ]] || command+="${command:+ }${COMP_WORDS[i]}"
    done
    case $command in
@GROUPS@
    "" | help) mapfile -t COMPREPLY < <(compgen -W "@FIRST@ help" -- "$cur"); return ;;
    esac
    case "$command" in
@WORDS@
    esac
    case "$command" in
@OPTIONS@
    esac
}
complete -o default -F _dragoman dragoman
"""


def escaped(text):
    return re.sub(r"([\\*_<>~#.])", r"\\\1", text)


def described(options, name):
    """name(option): what stands at the head of its paragraph."""
    for option in options:
        default = f" Default: {escaped(option.default)}." if option.default is not None else ""
        yield f"{name(option)}\n\t{escaped(option.doc[0].upper() + option.doc[1:])}.{default}\n"


def as_option(option):
    return f"*--{option.name}*{f' _{escaped(option.arg)}_' if option.arg else ''}"


def page_1(found, macros):
    everywhere = [option for name, options in macros.items() if name not in check_docs.HOMES and name != "CONFIG" for option in options]
    sections = []
    for command in found:
        home = {name for name, _ in command.parts if name and check_docs.HOMES.get(name) != command.name}
        own = [option for name, options in command.parts if name not in home for option in options]
        also = [f"*--{option.name}*" for name, options in command.parts if name in home for option in options]
        sections += [f"## {command.name} {escaped(command.args)}".rstrip(), "", f"{escaped(command.help[0].upper() + command.help[1:])}.", "",
                     *described(own, as_option), *([f"Also {', '.join(also)}.", ""] if also else [])]
    return PAGE_1.replace("EVERYWHERE", "\n".join(described(everywhere, as_option))).replace("COMMANDS\n\nCOMMANDS", "COMMANDS\n\n" + "\n".join(sections))


def page_5(found):
    plain, others = {}, {}
    for command in found:
        for option in command.options:
            if option.name != "config":
                (plain if option.setting(command.name) == option.name else others)[option.setting(command.name)] = option

    def written(part):
        return "\n".join(text for name, option in part.items() for text in described([option], lambda o, name=name: f"*{name}* = _{escaped(o.arg) or 'no'}_"))

    return PAGE_5.replace("SERVE\n#", written(plain) + "\n#").replace("OTHERS\n", written(others) + "\n")


def completion(found, lists):
    arms, groups = [], {}
    values = []
    for command in found:
        first, _, second = command.name.partition(" ")
        groups.setdefault(first, []).extend([second] if second else [])
        options = " ".join(f"--{option.name}" for option in command.options)
        arms.append(f'    "{command.name}" | "{command.name} "*) [[ $cur != -* ]] || mapfile -t COMPREPLY < <(compgen -W "{options} --help" -- "$cur") ;;')
        for option in command.options:
            if option.words in lists:
                values.append(f'    "{command.name}"*) [[ $prev != --{option.name} ]] || {{ mapfile -t COMPREPLY < <(compgen -W "{" ".join(lists[option.words])}" -- "$cur"); return; }} ;;&')
    alone = {command.name for command in found}
    second = [f'    {first}) [[ $cur == -* ]] || {{ mapfile -t COMPREPLY < <(compgen -W "{" ".join(words)}" -- "$cur"); {":" if first in alone else "return"}; }} ;;'
              for first, words in groups.items() if words]
    # The longer name first: "match queue" before "match".
    arms.sort(key=lambda arm: -arm.split('"')[1].count(" "))
    return COMPLETION.replace("@GROUPS@", "\n".join(second)).replace("@FIRST@", " ".join(groups)).replace("@WORDS@", "\n".join(values)).replace(
        "@OPTIONS@", "\n".join(arms))


def main():
    what, version, *scdoc = sys.argv[1:]
    found, macros, lists = check_docs.commands()
    if what == "completion":
        print(completion(found, lists), end="")
        return 0
    text = (page_1(found, macros) if what.endswith(".1") else page_5(found)).replace("VERSION", version)
    return subprocess.run(scdoc, input=text, text=True, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
