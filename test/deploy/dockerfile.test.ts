import { existsSync, readFileSync, statSync } from 'node:fs';
import { type Copy, DockerfileParser, type Instruction, type JSONInstruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const text = readFileSync(at('deploy/Dockerfile'), 'utf8');
const dockerfile = DockerfileParser.parse(text);
const named = (keyword: string): readonly Instruction[] =>
  dockerfile.getInstructions().filter((instruction) => instruction.getKeyword() === keyword);
const last = dockerfile.getFROMs().at(-1);
const inLastStage = (instruction: Instruction): boolean =>
  instruction.getRange().start.line > (last?.getRange().start.line ?? Number.NaN);
const wordsOf = (instruction: Instruction | undefined): string[] =>
  (instruction as JSONInstruction | undefined)?.getJSONStrings().map((word) => JSON.parse(word.getValue()) as string) ?? [];

/** What a COPY takes from the checkout, not from another image. */
const copied = named('COPY').flatMap((instruction) => {
  const isFromStage = (instruction as Copy).getFlags().some((flag) => flag.getName() === 'from');
  return isFromStage
    ? []
    : instruction
        .getArguments()
        .slice(0, -1)
        .map((argument) => argument.getValue());
});

describe('the Dockerfile', () => {
  it('has nothing that a linter finds', () => {
    const found = validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`);
    expect(found).toEqual([]);
    expect(validate(text.replace('FROM base', 'FORM base')), 'which would find a slip').not.toEqual([]);
  });

  it('rests on an image that is named by its bytes, whose Node.js is one that Magpie is made for', () => {
    const stages = new Set(dockerfile.getFROMs().map((from) => from.getBuildStage()));
    const images = dockerfile
      .getFROMs()
      .map((from) => from.getImage() ?? '')
      .filter((image) => !stages.has(image));
    expect(images).toHaveLength(1);
    expect(images[0]).toMatch(/^node:\d+\.\d+\.\d+-[\w-]+@sha256:[0-9a-f]{64}$/);
    const { engines } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { engines: { node: string } };
    expect(engines.node).toContain('>=24.0.0');
    expect(images[0]).toMatch(/^node:24\./);
  });

  it('runs as a user who is not root, in an image without what built it', () => {
    const users = named('USER')
      .filter(inLastStage)
      .map((user) => user.getArgumentsContent());
    expect(users).toEqual(['1000:1000']);
    const later = named('RUN')
      .filter(inLastStage)
      .map((run) => run.getArgumentsContent() ?? '');
    expect(later.filter((run) => /apt-get|npm |curl|wget/.test(run))).toEqual([]);
    expect(named('ADD')).toEqual([]);
  });

  it('starts the program itself, not a shell, so that every signal reaches it', () => {
    expect(wordsOf(named('ENTRYPOINT')[0])).toEqual(['magpie']);
    expect(wordsOf(named('CMD').find(inLastStage)).slice(0, 1)).toEqual(['run']);
    expect(named('STOPSIGNAL')[0]?.getArgumentsContent()).toBe('SIGTERM');
  });

  it('has a health check that needs nothing but Magpie', () => {
    const [check] = named('HEALTHCHECK');
    expect(check?.getArgumentsContent()).toContain('CMD ["magpie", "status", "--alive"');
  });

  it('copies what is there, by name, and what .dockerignore lets through', () => {
    const ignore = readFileSync(at('deploy/Dockerfile.dockerignore'), 'utf8').split('\n');
    const through = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(ignore.find((line) => !line.startsWith('#'))).toBe('*');
    expect(ignore).toContain('**/.env');
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(at(path)))).toEqual([]);
    expect(new Set(copied)).toEqual(new Set(through));
    expect(through).not.toContain('data');
  });

  it('holds every folder and file that the package holds and the program reads', () => {
    const { files } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { files: string[] };
    const read = files.filter((name) => !name.endsWith('.md') && !['dist', 'docs', 'deploy'].includes(name));
    expect(read.filter((name) => !copied.includes(name))).toEqual([]);
    expect(statSync(at('deploy')).isDirectory()).toBe(true);
    expect(files).toContain('deploy');
  });
});
