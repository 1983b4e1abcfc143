import { report, type Rule, type SourceFile } from './tree.ts';

/** A file that breaks a rule on purpose. */
export const file = (path: string, ...lines: string[]): SourceFile => ({ path, text: `${lines.join('\n')}\n` });

/** What a rule says of planted files. */
export const broken = (rule: Rule, ...files: SourceFile[]): string[] => report(rule(files));
