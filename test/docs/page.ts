/** What a comment right before a block asks of whoever runs it. Every field is left out where no comment says it. */
export interface Marks {
  /** Why the block is not run. */
  readonly notRun?: string;
  /** It goes on while the page does; the text that it has said when the next block may begin, '' for any. */
  readonly background?: string;
  /** What runs in the background is ended first, as by Ctrl-C. */
  readonly stopFirst?: true;
  /** The exit code with which it must end; 0 where it is left out. */
  readonly endsWith?: number;
  /** Words of the block, and of all that follow it, with what stands for them. */
  readonly words?: ReadonlyMap<string, string>;
  /** The block is the text of this file. */
  readonly file?: string;
  /** The block is put at the end of this file. */
  readonly appendedTo?: string;
}

export interface Block {
  /** The line of the page on which it begins, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  readonly marks: Marks;
}

/** What lies in the folder when a page begins. */
export const sessionKinds = ['empty', 'bare', 'checkout', 'account'] as const;
export type SessionKind = (typeof sessionKinds)[number];

/** A page of the documentation as one session at a terminal. */
export interface Page {
  readonly path: string;
  readonly session: SessionKind;
  /** It is run by `npm test` as well. */
  readonly quick: boolean;
  readonly blocks: readonly Block[];
  /** What is wrong with the page itself, a line each. */
  readonly faults: readonly string[];
}

const commandLanguages = new Set(['sh', 'console']);
const disguised = new Set(['', 'bash', 'shell', 'zsh', 'shell-session']);
const indentedCommand = /^ {4,}(?:\$ )?(?:magpie|npm|npx|node|curl|mkdir|cd|export|sudo|systemctl|docker|apt-get|cp|bash) /;

/** How a comment begins that holds commands for nobody to see. */
const unseen = 'run:\n';

interface Comment {
  readonly line: number;
  readonly text: string;
}

/** Reads a page and the marks of its blocks. What is marked wrongly is a fault, never passed over. */
export function readPage(path: string, text: string): Page {
  return new PageReader(path, text).read();
}

class PageReader {
  readonly #path: string;
  readonly #lines: readonly string[];
  readonly #faults: string[] = [];
  readonly #blocks: Block[] = [];
  /** Comments since the last line that was none. */
  #pending: Comment[] = [];
  #session: SessionKind = 'empty';
  #quick = false;

  constructor(path: string, text: string) {
    this.#path = path;
    this.#lines = text.split('\n');
  }

  read(): Page {
    for (let at = 0; at < this.#lines.length; at++) {
      const line = this.#lines[at] ?? '';
      const fence = /^( *)(`{3,})([\w-]*)/.exec(line);
      if (/^\s*<!--/.test(line)) at = this.#comment(at);
      else if (fence) at = this.#fenced(at, fence);
      else this.#prose(at, line);
    }
    return { path: this.#path, session: this.#session, quick: this.#quick, blocks: this.#blocks, faults: this.#faults };
  }

  /** Takes up a comment; gives the index of its last line. */
  #comment(at: number): number {
    const end = this.#lines.findIndex((each, index) => index >= at && each.includes('-->'));
    const whole = this.#lines.slice(at, end + 1).join('\n');
    const text = whole.replace(/^\s*<!--\s?|\s*-->\s*$/g, '');
    const kind = /^session: (.*)$/.exec(text)?.[1];
    if (kind !== undefined) {
      if (isSession(kind)) this.#session = kind;
      else this.#fault(at + 1, `begins a session of no known kind: ${kind}`);
    } else if (text === 'quick') this.#quick = true;
    else if (text.startsWith(unseen)) this.#block(at + 1, 'sh', text.slice(unseen.length));
    else this.#pending.push({ line: at + 1, text });
    return Math.max(at, end);
  }

  /** Takes up a block between fences; gives the index of its last line. */
  #fenced(at: number, [, indent = '', ticks = '', language = '']: RegExpExecArray): number {
    const end = this.#lines.findIndex((each, index) => index > at && each.trim() === ticks);
    if (end === -1) this.#fault(at + 1, 'opens a block that never ends');
    if (disguised.has(language))
      this.#fault(at + 1, 'opens a block without saying what it is: `sh` for commands, `text` for what is read');
    const inside = this.#lines.slice(at + 1, end === -1 ? undefined : end);
    this.#block(at + 1, language, inside.map((each) => withoutIndent(each, indent.length)).join('\n'));
    return end === -1 ? this.#lines.length : end;
  }

  #block(line: number, language: string, text: string): void {
    const fault = (at: number, message: string): void => this.#fault(at, message);
    this.#blocks.push({ line, language, text, marks: marksOf(this.#pending, fault, commandLanguages.has(language)) });
    this.#pending = [];
  }

  #prose(at: number, line: string): void {
    for (const { line: where, text } of this.#pending) {
      if (nameOf(text) !== undefined) this.#fault(where, `marks no block: "${text}" must stand right before one`);
    }
    this.#pending = [];
    if (indentedCommand.test(line)) this.#fault(at + 1, 'shows a command by its indent: put it between ```sh and ```');
  }

  #fault(line: number, message: string): void {
    this.#faults.push(`${this.#path}:${line} ${message}`);
  }
}

function isSession(kind: string): kind is SessionKind {
  return (sessionKinds as readonly string[]).includes(kind);
}

function withoutIndent(line: string, indent: number): string {
  return line.slice(Math.min(indent, line.length - line.trimStart().length));
}

type Reader = (rest: string) => Marks | string;

/** Each mark with what it says; a text is what is wrong with it. */
const readers: Readonly<Record<string, Reader>> = {
  'not run': (rest) => (/\w{3}/.test(rest) ? { notRun: rest } : 'says not why the block is not run'),
  background: (rest) => ({ background: rest.replace(/^until: */, '') }),
  'stop first': () => ({ stopFirst: true }),
  'ends with': (rest) => {
    const [, code, why] = /^(\d+), *(.*)$/.exec(rest) ?? [];
    return code !== undefined && /\w{3}/.test(why ?? '')
      ? { endsWith: Number(code) }
      : 'says not with which code and why it ends';
  },
  file: (rest) => (rest === '' ? 'names no file' : { file: rest }),
  'appended to': (rest) => (rest === '' ? 'names no file' : { appendedTo: rest }),
  with: (rest) => {
    const pairs = rest.split(';').map((pair) => pair.split(' = ').map((side) => side.trim()));
    const words = new Map(pairs.map(([word = '', source = '']) => [word, source]));
    return [...words].every(([word, source]) => word !== '' && source !== '') ? { words } : 'says not what stands for which word';
  },
};

const names = Object.keys(readers);

function nameOf(text: string): string | undefined {
  return names.find((name) => new RegExp(`^${name}(?::|$| until:)`).test(text));
}

function marksOf(comments: readonly Comment[], fault: (line: number, message: string) => void, isCommands: boolean): Marks {
  return Object.assign(
    {},
    ...comments.map(({ line, text }): Marks => {
      const name = nameOf(text);
      if (name === undefined) {
        if (isCommands) fault(line, `is no mark that is known: "${text}"`);
        return {};
      }
      const read = readers[name]?.(text.slice(name.length).replace(/^: */, '').trim()) ?? {};
      if (typeof read !== 'string') return read;
      fault(line, `${read}: "${text}"`);
      return {};
    }),
  ) as Marks;
}

/** The commands of a block, as they would be typed; undefined for a block that is no commands. */
export function commandsOf({ language, text }: Block): string | undefined {
  if (language === 'sh') return text;
  if (language !== 'console') return undefined;
  const typed: string[] = [];
  let goesOn = false;
  for (const line of text.split('\n')) {
    if (!goesOn && !line.startsWith('$ ')) continue;
    typed.push(goesOn ? line.replace(/^> /, '') : line.slice(2));
    goesOn = line.endsWith('\\');
  }
  return typed.join('\n');
}
