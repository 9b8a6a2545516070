# SPDX-License-Identifier: Apache-2.0
"""Completions for bash, zsh and fish."""

from collections.abc import Iterable, Iterator

from qa.dist.commands import Command, Option, Table

_MADE = "# Made by qa/dist/build of `pmproof help --format json`.\n"


def bash(table: Table) -> str:
    """Words are looked up in `case`, so that the function works in any bash from version 4 on."""
    options = "\n".join(_bash_command(table, command) for command in table.commands)
    groups = "\n".join(f"    {group}) COMPREPLY=($(compgen -W {_quoted(table.of_group(group))} -- \"$cur\")) ;;" for group in table.groups)
    helps = _quoted(table.first_words())
    return f"""{_MADE}_pmproof() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev='' command='' options='' paths=yes word i
  # bash makes three words of --format=json.
  [ "$cur" != '=' ] || cur=''
  [ "$COMP_CWORD" -eq 0 ] || prev=${{COMP_WORDS[COMP_CWORD - 1]}}
  if [ "$prev" = '=' ]; then prev=${{COMP_WORDS[COMP_CWORD - 2]}}; elif [ "${{COMP_WORDS[COMP_CWORD]}}" != '=' ] && [[ $prev != -* ]]; then prev=''; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${{COMP_WORDS[i]}}
    case $word in
      {_alternatives(_with_value(table.common))}) [ "${{COMP_WORDS[i + 1]}}" != '=' ] || ((i++)); ((i++)); continue ;;
      -*) continue ;;
    esac
    case "${{command:+$command }}$word" in
{_bash_words(table)}
    esac
    break
  done
  case "$command $prev" in
{_bash_values(table)}
  esac
  case $command in
    '') COMPREPLY=($(compgen -W {_quoted([*table.first_words(), *_names(table.common), "--help", "--version"])} -- "$cur")); return ;;
    help) COMPREPLY=($(compgen -W {helps} -- "$cur")); return ;;
    version) return ;;
{groups.replace(" ;;", "; return ;;")}
  esac
  case $command in
{options}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [ -n "$paths" ]; then
    COMPREPLY=($(compgen -f -- "$cur"))
    compopt -o filenames 2>/dev/null
  fi
}}
complete -F _pmproof pmproof
"""


def _bash_words(table: Table) -> str:
    lines = [f"      {group}) command={group}; continue ;;" for group in table.groups]
    simple = [word for word in table.first_words() if word not in table.groups]
    lines.append(f"      {'|'.join(simple)}) command=$word ;;")
    paired = "|".join(f"'{command.name}'" for command in table.commands if " " in command.name)
    return "\n".join([*lines, f'      {paired}) command="$command $word" ;;'])


def _bash_values(table: Table) -> str:
    lines = []
    for name, options in [("", ()), *((command.name, command.options) for command in table.commands)]:
        for option in (*options, *table.common):
            if not option.value:
                continue
            patterns = "|".join(f"'{name} {each}'" for each in option.names)
            if option.choices:
                reply = f"COMPREPLY=($(compgen -W {_quoted(option.choices)} -- \"$cur\"))"
            elif option.takes_path:
                reply = 'COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null'
            else:
                reply = ":"
            lines.append(f"    {patterns}) {reply}; return ;;")
    return "\n".join(lines)


def _bash_command(table: Table, command: Command) -> str:
    names = " ".join([*_names(command.options), *_names(table.common), "--help"])
    paths = "yes" if any(operand.is_path for operand in command.operands) else "''"
    return f"    '{command.name}') options='{names}' paths={paths} ;;"


def zsh(table: Table) -> str:
    """By zsh's own _arguments."""
    functions = "\n".join(_zsh_command(table, command) for command in table.commands)
    cases = "\n".join(f"        {_first(command)}) _pmproof-{command.dashed} ;;" for command in table.commands if " " not in command.name)
    groups = "\n".join(_zsh_group(table, group) for group in table.groups)
    group_cases = "\n".join(f"        {group}) _pmproof-{group} ;;" for group in table.groups)
    common = [*_zsh_specs(table.common), "(- *)--help[Print the page of the program]", "(- *)--version[Print the version]"]
    common += ["1: :->command", "*:: :->rest"]
    return f"""#compdef pmproof
{_MADE}
{functions}

{groups}

_pmproof() {{
  local curcontext="$curcontext" state line
  _arguments -C{_zsh_arguments(common)}
  case $state in
    command)
      local -a commands=(
{_zsh_descriptions(table.first_words())}
      )
      _describe command commands ;;
    rest)
      curcontext="${{curcontext%:*}}-$line[1]:"
      case $line[1] in
{cases}
{group_cases}
        help) local -a commands=(${{=:-{' '.join(table.first_words())}}}); _describe command commands ;;
      esac ;;
  esac
}}

_pmproof "$@"
"""


def _zsh_group(table: Table, group: str) -> str:
    cases = "\n".join(f"        {word}) _pmproof-{group}-{word} ;;" for word in table.of_group(group))
    return f"""_pmproof-{group}() {{
  local curcontext="$curcontext" state line
  _arguments -C '1: :->command' '*:: :->rest'
  case $state in
    command)
      local -a commands=(
{_zsh_descriptions(table.of_group(group))}
      )
      _describe command commands ;;
    rest)
      case $line[1] in
{cases}
      esac ;;
  esac
}}"""


def _zsh_command(table: Table, command: Command) -> str:
    specs = [*_zsh_specs((*command.options, *table.common)), "(- *)--help[Print this page]"]
    for operand in command.operands:
        place = "*" if operand.repeats else ""
        specs.append(f"{place}:{_zsh_text(operand.name)}:{'_files' if operand.is_path else ' '}")
    return f"_pmproof-{command.dashed}() {{\n  _arguments -s{_zsh_arguments(specs)}\n}}"


def _zsh_arguments(specs: Iterable[str]) -> str:
    """A line for each."""
    return "".join(" \\\n    '" + spec.replace("'", "'\\''") + "'" for spec in specs)


def _zsh_specs(options: Iterable[Option]) -> Iterator[str]:
    for option in options:
        for name in option.names:
            spec = ("*" if option.repeats else "") + name + ("=" if option.value and name.startswith("--") else "+" if option.value else "")
            spec += f"[{_zsh_text(_brief(option))}]"
            if option.value:
                action = f"({' '.join(option.choices)})" if option.choices else "_files" if option.takes_path else " "
                spec += f":{_zsh_text(option.value)}:{action}"
            yield spec


def _zsh_descriptions(words: "dict[str, str]") -> str:
    return "\n".join("        '" + f"{word}:{_zsh_text(what)}".replace("'", "'\\''") + "'" for word, what in words.items())


def _zsh_text(text: str) -> str:
    for special in "\\:[]":
        text = text.replace(special, "\\" + special)
    return text


def fish(table: Table) -> str:
    """A function finds out which command it is, and each line asks it."""
    valued = " ".join(name for option in table.common for name in option.names if option.value)
    lines = [*_fish_words(table)]
    for command in table.commands:
        condition = f"-n '__pmproof_is {command.name}'"
        if any(operand.is_path for operand in command.operands):
            lines.append(f"complete -c pmproof {condition} -F")
        lines += [_fish_option(option, condition) for option in command.options]
    lines += [_fish_option(option, "") for option in table.common]
    lines.append("complete -c pmproof -l help -s h -d 'Print the page of the program, or of the command'")
    return f"""{_MADE}function __pmproof_words
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $word {valued}
            set skip 1
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

function __pmproof_is
    string match -q -- (string join ' ' $argv)' *' (string join ' ' (__pmproof_words))' '
end

function __pmproof_at
    test "$(string join ' ' (__pmproof_words))" = "$argv"
end

complete -c pmproof -f
""" + "\n".join(lines) + "\n"


def _fish_words(table: Table) -> Iterator[str]:
    for word, what in table.first_words().items():
        yield f"complete -c pmproof -n '__pmproof_at' -a {word} -d {_fish_text(what)}"
        yield f"complete -c pmproof -n '__pmproof_at help' -a {word} -d {_fish_text(what)}"
    for group in table.groups:
        for word, what in table.of_group(group).items():
            yield f"complete -c pmproof -n '__pmproof_at {group}' -a {word} -d {_fish_text(what)}"


def _fish_option(option: Option, condition: str) -> str:
    words = ["complete -c pmproof", condition] if condition else ["complete -c pmproof"]
    for name in option.names:
        words.append(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}")
    if option.choices:
        words.append(f"-x -a {_fish_text(' '.join(option.choices))}")
    elif option.value:
        words.append("-r -F" if option.takes_path else "-x")
    return " ".join([*words, f"-d {_fish_text(_brief(option))}"])


def _fish_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _brief(option: Option) -> str:
    """The first sentence, or a little more than a line."""
    text = (option.help or "One of the words").split(". ")[0].split("; ")[0]
    return text if len(text) <= 90 else text[:87].rsplit(" ", 1)[0] + " ..."


def _names(options: Iterable[Option]) -> list[str]:
    return [name for option in options for name in option.names]


def _with_value(options: Iterable[Option]) -> list[str]:
    return [name for option in options if option.value for name in option.names]


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(words)


def _first(command: Command) -> str:
    return command.name.split()[0]


def _quoted(words: Iterable[str]) -> str:
    return "'" + " ".join(words) + "'"
