import { importsOf, walk } from './syntax.ts';
import { inSource, lineOf, perFile, type Finding, type Rule } from './tree.ts';

/** Types whose values only one file may make, since making one is a promise that something was checked. */
const makers: Readonly<Record<string, { file: string; instead: string }>> = {
  Approved: { file: 'src/risk/intent.ts', instead: 'ask admit (src/risk/admit.ts), which alone approves' },
  Micros: {
    file: 'src/domain/money.ts',
    instead: 'make it with a function of src/domain/money.ts, which checks that it is exact',
  },
};

export const promisesAreMadeInOnePlace: Rule = perFile(inSource, (file) => {
  const found: Finding[] = [];
  walk(file, (node) => {
    if (node.type !== 'TSAsExpression' || node.typeAnnotation.type !== 'TSTypeReference') return;
    const { typeName } = node.typeAnnotation;
    const brand = typeName.type === 'Identifier' ? typeName.name : '';
    const maker = makers[brand];
    if (!maker || file.path === maker.file) return;
    found.push({ path: file.path, line: lineOf(file.text, node.start), message: `says "as ${brand}": ${maker.instead}` });
  });
  return found;
});

export const admissionAloneApproves: Rule = perFile(
  (path) => inSource(path) && path !== 'src/risk/admit.ts',
  (file) =>
    importsOf(file)
      .filter(
        ({ specifier, names }) => specifier.endsWith('/intent.ts') && names.some((name) => name === 'approve' || name === '*'),
      )
      .map(({ line }) => ({
        path: file.path,
        line,
        message: 'imports approve: ask admit (src/risk/admit.ts), which alone approves',
      })),
);
