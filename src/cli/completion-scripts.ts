import type { TableCommand, TableOption, Takes } from './command-table.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** The completion of a shell for the commands of a table. */
export function completionScript(shell: Shell, table: readonly TableCommand[]): string {
  switch (shell) {
    case 'bash':
      return bash(table);
    case 'zsh':
      return zsh(table);
    case 'fish':
      return fish(table);
  }
}

const below = (table: readonly TableCommand[], { words }: TableCommand): readonly TableCommand[] =>
  table.filter((other) => other.words.length === words.length + 1 && other.words.slice(0, -1).join(' ') === words.join(' '));

const nameOf = ({ words }: TableCommand): string => words.at(-1) ?? '';

/** The options of a command and those that the program gives to all. */
function optionsFor(table: readonly TableCommand[], { words, options }: TableCommand): readonly TableOption[] {
  const shared = table[0]?.options.filter(({ flags }) => !flags.includes('--version')) ?? [];
  return words.length === 0
    ? options
    : [...new Map([...shared, ...options].map((option) => [option.flags.join(), option])).values()];
}

/** For a shell's word: `'` is the one character that means something between single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What both shells keep of a value in one word. */
function kindWord(takes: Takes | undefined): string {
  if (takes === undefined) return '';
  return takes.kind === 'words' ? `words ${takes.words.join(' ')}` : takes.kind;
}

/** Each value of an option with where it is asked for: ` run --strategies`. */
function valueArms(table: readonly TableCommand[], indent: string): readonly string[] {
  return table.flatMap((command) => {
    const typed = command.words.map((word) => ` ${word}`).join('');
    return optionsFor(table, command).flatMap(({ flags, takes }) => {
      if (takes === undefined) return [];
      const places = flags.map((flag) => quote(`${typed} ${flag}`)).join(' | ');
      return [`${indent}${places}) takes=${quote(kindWord(takes))} ;;`];
    });
  });
}

/** Options behind which a word is a value and no command. */
function withValue(table: readonly TableCommand[]): string {
  const all = table.flatMap(({ options }) => options.filter(({ takes }) => takes !== undefined).flatMap(({ flags }) => flags));
  return [...new Set(all)].join(' | ');
}

function typedArms(table: readonly TableCommand[]): string {
  return table
    .filter(({ words }) => words.length > 0)
    .map(({ words }) => quote(` ${words.join(' ')}`))
    .join(' | ');
}

/** What a second argument may be, by the first: ` api GET`. Behind it there is nothing more to offer. */
function secondArms(table: readonly TableCommand[], indent: string): readonly string[] {
  return table.flatMap(({ words, second }) => {
    if (second === undefined) return [];
    const typed = words.map((word) => ` ${word}`).join('');
    const arms = Object.entries(second).map(([first, offered]) => {
      const places = [first, first.toLowerCase()].map((word) => quote(`${typed} ${word}`)).join(' | ');
      return `${indent}${places}) argument=${quote(kindWord({ kind: 'words', words: offered }))} ;;`;
    });
    return [...arms, `${indent}${quote(`${typed} `)}*) argument='anything' ;;`];
  });
}

function bash(table: readonly TableCommand[]): string {
  const arms = table.map((command) => {
    const typed = command.words.map((word) => ` ${word}`).join('');
    const commands = below(table, command).map(nameOf).join(' ');
    const options = optionsFor(table, command)
      .flatMap(({ flags }) => flags)
      .join(' ');
    return `    ${quote(typed)}) commands=${quote(commands)} options=${quote(options)} argument=${quote(kindWord(command.takes))} ;;`;
  });
  return `# Completion of magpie for bash: source <(magpie completion bash)
_magpie() {
  local word=\${COMP_WORDS[COMP_CWORD]} typed='' given='' commands='' options='' argument='' takes='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case \${COMP_WORDS[index]} in
    ${withValue(table)})
      ((index++))
      continue
      ;;
    esac
    case "$typed \${COMP_WORDS[index]}" in
    ${typedArms(table)}) typed="$typed \${COMP_WORDS[index]}" ;;
    *' -'*) ;;
    *) given="$given \${COMP_WORDS[index]}" ;;
    esac
  done
  case $typed in
${arms.join('\n')}
  esac
  case $typed$given in
${secondArms(table, '    ').join('\n')}
  esac
  case "$typed \${COMP_WORDS[COMP_CWORD - 1]}" in
${valueArms(table, '    ').join('\n')}
  esac
  if [[ -z $takes && $word == -* ]]; then
    takes="words $options"
  elif [[ -z $takes ]]; then
    takes=\${argument:-"words $commands"}
  fi
  local IFS=$'\\n'
  case $takes in
  file)
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$word"))
    ;;
  folder)
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -d -- "$word"))
    ;;
  'words '*)
    takes=\${takes#words }
    COMPREPLY=($(compgen -W "\${takes// /$IFS}" -- "$word"))
    ;;
  *) COMPREPLY=() ;;
  esac
}
complete -F _magpie magpie
`;
}

function zsh(table: readonly TableCommand[]): string {
  const described = (name: string, summary: string): string => quote(`${name}:${summary.replaceAll('\n', ' ')}`);
  const arms = table.map((command) => {
    const typed = command.words.map((word) => ` ${word}`).join('');
    const commands = below(table, command)
      .map((one) => described(nameOf(one), one.summary))
      .join(' ');
    const options = optionsFor(table, command)
      .flatMap(({ flags, summary }) => flags.map((flag) => described(flag, summary)))
      .join(' ');
    return `    ${quote(typed)}) commands=(${commands}) options=(${options}) argument=${quote(kindWord(command.takes))} ;;`;
  });
  return `#compdef magpie
# Completion of magpie for zsh: source <(magpie completion zsh), or this file as _magpie in a folder of $fpath
_magpie() {
  local typed='' given='' argument='' takes='' index
  local -a commands options
  for ((index = 2; index < CURRENT; index++)); do
    case $words[index] in
    ${withValue(table)})
      ((index++))
      continue
      ;;
    esac
    case "$typed $words[index]" in
    ${typedArms(table)}) typed="$typed $words[index]" ;;
    *' -'*) ;;
    *) given="$given $words[index]" ;;
    esac
  done
  case $typed in
${arms.join('\n')}
  esac
  case $typed$given in
${secondArms(table, '    ').join('\n')}
  esac
  case "$typed $words[CURRENT-1]" in
${valueArms(table, '    ').join('\n')}
  esac
  if [[ -z $takes && $PREFIX == -* ]]; then
    _describe -o 'option' options
    return
  elif [[ -z $takes && -n $commands ]]; then
    _describe 'command' commands
    return
  fi
  case \${takes:-$argument} in
  file) _files ;;
  folder) _files -/ ;;
  'words '*) compadd -- \${(s: :)\${takes:-$argument}#words } ;;
  esac
}
if [[ $funcstack[1] == _magpie ]]; then
  _magpie "$@"
else
  compdef _magpie magpie
fi
`;
}

/** Fish has its own quoting: a backslash escapes. */
function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function fishValue(takes: Takes | undefined): string {
  if (takes === undefined) return '';
  if (takes.kind === 'file') return ' -r -F';
  if (takes.kind === 'folder') return " -x -a '(__fish_complete_directories)'";
  return takes.kind === 'words' ? ` -x -a ${fishQuote(takes.words.join(' '))}` : ' -x';
}

function fish(table: readonly TableCommand[]): string {
  const lines = table.flatMap((command) => {
    const inner = below(table, command);
    const here = command.words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const names = inner.map(nameOf).join(' ');
    const before = [here, names === '' ? '' : `not __fish_seen_subcommand_from ${names}`]
      .filter((part) => part !== '')
      .join('; and ');
    const commands = inner.map(
      (one) => `complete -c magpie -n ${fishQuote(before)} -a ${nameOf(one)} -d ${fishQuote(one.summary)}`,
    );
    const options = command.options.map(({ flags, summary, takes }) => {
      const named = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ');
      // Those of the program itself hold for every command.
      const condition = command.words.length === 0 ? '' : ` -n ${fishQuote(here)}`;
      return `complete -c magpie${condition} ${named}${fishValue(takes)} -d ${fishQuote(summary)}`;
    });
    return [...commands, ...options, ...fishArguments(command, here)];
  });
  return `# Completion of magpie for fish: magpie completion fish | source\ncomplete -c magpie -f\n${[...new Set(lines)].join('\n')}\n`;
}

function fishArguments({ takes, second = {} }: TableCommand, here: string): readonly string[] {
  if (takes === undefined || takes.kind === 'anything') return [];
  const firsts = Object.keys(second).flatMap((word) => [word, word.toLowerCase()]);
  const isFirst = firsts.length === 0 ? here : `${here}; and not __fish_seen_subcommand_from ${firsts.join(' ')}`;
  return [
    `complete -c magpie -n ${fishQuote(isFirst)}${fishArgument(takes)}`,
    ...Object.entries(second).map(([first, words]) => {
      const isBehind = `${here}; and __fish_seen_subcommand_from ${first} ${first.toLowerCase()}; and not __fish_seen_subcommand_from ${words.join(' ')}`;
      return `complete -c magpie -n ${fishQuote(isBehind)}${fishArgument({ kind: 'words', words })}`;
    }),
  ];
}

function fishArgument(takes: Takes): string {
  if (takes.kind === 'words') return ` -a ${fishQuote(takes.words.join(' '))}`;
  return takes.kind === 'file' ? ' -F' : " -a '(__fish_complete_directories)'";
}
