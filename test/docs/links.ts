import { posix } from 'node:path';
import type { SourceFile } from '../tidy/tree.ts';

const link = /\[[^\]]*\]\(([^)\s]+)\)/g;
const inlineCode = /`([^`\n]+)`/g;

/** Paths of the project, as a sentence names them; what lies in a user's own folders (`data/…`, `strategies/…`) is no such path. */
const ownPath = /^(?:(?:src|test|scripts|docs|schemas|config|deploy|\.ci)\/[\w./-]*\w|[a-z]+\/[\w/-]+\.mjs)$/;

/** Links between documents that lead nowhere: to no file, or to no heading of it; and files named in sentences that are not there. */
export function brokenLinks(documents: readonly SourceFile[], exists: (path: string) => boolean): string[] {
  const texts = new Map(documents.map(({ path, text }) => [path, text]));
  return documents.flatMap(({ path, text }) => {
    const prose = withoutBlocks(text);
    const targets = [...prose.matchAll(link)].map(([, target]) => target ?? '').filter((target) => !/^[a-z]+:/.test(target));
    const named = [...prose.matchAll(inlineCode)].map(([, code]) => code ?? '').filter((code) => ownPath.test(code));
    return [
      ...targets.flatMap((target) => wrongWith(target, path, texts, exists)),
      ...named.filter((code) => !exists(code) && !exists(`src/${code}`)).map((code) => `names \`${code}\`, which is not there`),
    ].map((wrong) => `${path} ${wrong}`);
  });
}

function wrongWith(
  target: string,
  from: string,
  texts: ReadonlyMap<string, string>,
  exists: (path: string) => boolean,
): string[] {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : posix.normalize(posix.join(posix.dirname(from), file));
  if (!exists(path)) return [`links to ${target}, which is not there`];
  if (anchor === undefined) return [];
  const text = texts.get(path);
  return text !== undefined && anchorsOf(text).has(anchor) ? [] : [`links to ${target}, which has no such heading`];
}

function withoutBlocks(text: string): string {
  return text.replace(/^( *)(`{3,})[\s\S]*?^\1\2 *$/gm, '');
}

/** The names under which the headings of a page can be linked to, made as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${times}`);
  }
  return anchors;
}
