import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse, visit } from 'graphql';
import { expect, test } from 'vitest';
import { describeApi } from '../../src/describe-api.ts';
import { printedSchema } from '../print-schema.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Wordings that hide who does what, or that need a second reading, with what to write instead. */
const UNCLEAR: [pattern: RegExp, instead: string][] = [
  [/\b(?:any|some|no|every)body\b/i, 'name the role: the caller, a user, a visitor, anonymous callers'],
  [/\bany ?more\b/i, 'no longer'],
  [/\bof which\b/, 'two sentences, or a possessive'],
  [/\bin one piece\b/, 'the technical term'],
  [/\banew\b/, 'again'],
  [/\bonce more\b/, 'again'],
  [/\bof its own accord\b/, 'by itself'],
  [/\bstays? as it is\b/, 'stays unchanged'],
];

/** Questions in the place of a noun: "What a check is about" is the subject of a check. */
const QUESTIONS: typeof UNCLEAR = [[/^(?:What|Why|Where) /, 'a noun: the subject, the reason, the location']];

const unclearIn = (text: string, patterns = UNCLEAR) =>
  patterns
    .filter(([pattern]) => pattern.test(text))
    .map(([pattern, instead]) => `"${text.slice(0, 100)}" has ${pattern.exec(text)?.[0]}: write ${instead}`);

const descriptionsOfGraph = (): string[] => {
  const found = new Set<string>();
  visit(parse(printedSchema()), {
    enter(node) {
      if ('description' in node && node.description) found.add(node.description.value.replace(/\s+/g, ' '));
    },
  });
  return [...found];
};

function* descriptionsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* descriptionsIn(item);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (name === 'example' || name === 'examples') continue;
      if (name === 'description' && typeof member === 'string') yield member;
      else yield* descriptionsIn(member);
    }
  }
}

test('descriptions of the graph are plain', () => {
  const descriptions = descriptionsOfGraph();
  expect(descriptions.length).toBeGreaterThan(1_000);
  expect(descriptions.flatMap((text) => unclearIn(text, [...UNCLEAR, ...QUESTIONS]))).toEqual([]);
});

test('descriptions of REST are plain', () => {
  const descriptions = new Set(descriptionsIn(describeApi({ publicUrl: 'https://docs.example' })));
  expect(descriptions.size).toBeGreaterThan(1_000);
  expect([...descriptions].flatMap((text) => unclearIn(text, [...UNCLEAR, ...QUESTIONS]))).toEqual([]);
});

const pages = [
  ...['docs', 'src/demo/handbook', 'deploy'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:md|conf|service|yml)$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  ),
  ...globSync('{README.md,{src,web,test}/**/README.md}', { cwd: ROOT }).filter(
    (path) => !path.includes('node_modules'),
  ),
  'SECURITY.md',
  'CONTRIBUTING.md',
  '.env.example',
];

test('comments of the sources name roles', () => {
  const faults = globSync('src/**/*.ts', { cwd: ROOT }).flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .filter((line) => /^ *(?:\/\/|\/?\*)/.test(line))
      .flatMap((line) => unclearIn(line, UNCLEAR.slice(0, 1)).map((fault) => `${path}: ${fault}`)),
  );
  expect(faults).toEqual([]);
});

test.each(pages)('%s is plain', (page) => {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  expect(lines.flatMap((line, index) => unclearIn(line).map((fault) => `${page}:${index + 1} ${fault}`))).toEqual([]);
});
