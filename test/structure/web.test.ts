import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DefinitionNode, Kind, type OperationDefinitionNode, parse, print } from 'graphql';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { blockRules, inlineRules } from '../../src/lib/document/node-rules.ts';
import { documentErrors, documentIdOf } from '../../src/platform/graphql/request/trusted-documents.ts';
import { schema } from '../../src/schema.ts';
import compiler from '../../web/package.json' with { type: 'json' };
import persisted from '../../web/persisted-queries.json' with { type: 'json' };

const WEB = join(import.meta.dirname, '..', '..', 'web');
const REGENERATE = 'run `npm --prefix web ci` and `npm --prefix web run relay`';

const read = (path: string) => readFileSync(join(WEB, path), 'utf8');
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** The text of each definition in the sources, by the names of what is generated from it. */
const written = new Map(
  globSync('src/**/*.{ts,tsx}', { cwd: WEB, exclude: ['src/__generated__/**'] }).flatMap((path) =>
    [...read(path).matchAll(/\bgraphql`([^`]*)`/g)]
      .flatMap(([, text = '']) => parse(text).definitions.map(printed))
      .flatMap((text) => namesIn(text).map((name) => [name, text] as const)),
  ),
);

/** As relay-compiler prints a definition before it is hashed: arguments stay in one line. */
function printed(definition: DefinitionNode): string {
  const inOneLine = (_text: string, inside: string) => `(${inside.trim().split(/\n\s*/).join(', ')})`;
  return print(definition).replaceAll(/\(\n([^()]*)\n *\)/g, inOneLine);
}

/** The name of a query or fragment, and that of the query by which a fragment is fetched again. */
function namesIn(text: string): string[] {
  return [
    /^(?:query|mutation|subscription|fragment) (\w+)/.exec(text)?.[1] ?? '(unnamed)',
    ...(/@refetchable\(queryName: "(\w+)"/.exec(text)?.slice(1) ?? []),
  ];
}

/** Generated files, by the name of their definition. Types of enums and of inputs are in these, too. */
const generated = new Map(
  globSync('src/__generated__/*.graphql.ts', { cwd: WEB }).map((path) => [basename(path, '.graphql.ts'), read(path)]),
);

const documents = Object.entries(persisted);

/** Kinds of blocks that the component of the block around them shows. */
const SHOWN_BY_PARENT = new Set(['code-line', 'tabs-item', 'stepper-step', 'column', 'update']);

test('every persisted query of the web application is valid, and has the hash of its text as its id', () => {
  expect(documents.length).toBeGreaterThan(0);
  for (const [id, text] of documents) {
    expect([id, documentErrors(text, schema)]).toEqual([id, []]);
    expect(`sha256:${id}`).toBe(documentIdOf(text));
  }
});

test('every query of the web application has a name of its own, as metrics show it', () => {
  const names = documents.map(([, text]) => {
    const operation = parse(text).definitions.find(
      (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
    );
    return operation?.name?.value;
  });
  expect(new Set(names).size).toBe(documents.length);
  expect(names).not.toContain(undefined);
});

test('the generated files are those of the definitions in the sources', () => {
  expect([...generated.keys()].sort(), REGENERATE).toEqual([...written.keys()].sort());
  for (const [name, definition] of written) {
    const [, hash] = /\(node as any\)\.hash = "([0-9a-f]{32})"/.exec(generated.get(name) ?? '') ?? [];
    expect([name, hash], REGENERATE).toEqual([name, md5(definition)]);
  }
});

test('the generated files ask for persisted queries, and for all of them', () => {
  const asked = [...generated.values()].flatMap((text) => /^\/\/ @relayRequestID (\w+)$/m.exec(text)?.[1] ?? []);
  expect(asked.sort(), REGENERATE).toEqual(documents.map(([id]) => id).sort());
});

test('the generated files are as relay-compiler has signed them', () => {
  for (const [name, text] of generated) {
    const [, signature] = /SignedSource<<([0-9a-f]{32})>>/.exec(text) ?? [];
    const unsigned = text.replace(/SignedSource<<[0-9a-f]{32}>>/, '<<SignedSource::*O*zOeWoEQle#+L!plEphiEmie@IsG>>');
    expect([name, signature], REGENERATE).toEqual([name, md5(unsigned)]);
  }
});

test('the compiler has the version of the runtime', () => {
  expect(compiler.devDependencies['relay-compiler']).toBe(manifest.devDependencies['relay-runtime']);
  expect(manifest.devDependencies['react-relay']).toBe(manifest.devDependencies['relay-runtime']);
});

test('the application has at most 6,600 lines, without what is generated', () => {
  const files = globSync('src/**/*.{ts,tsx,css}', { cwd: WEB, exclude: ['src/__generated__/**'] });
  const lines = files.map((path) => read(path).split('\n').length - 1);
  expect(lines.length).toBeGreaterThan(50);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(6_600);
});

test('documents are shown by one component for each kind of block and inline', () => {
  const kindsIn = (path: string, list: string) => {
    const [, members = ''] = new RegExp(`export const ${list}[^{]*\\{(.*?)^\\};`, 'ms').exec(read(path)) ?? [];
    return [...members.matchAll(/^ {2}'?([a-z\d-]+)'?: \w+,$/gm)].map(([, kind]) => kind);
  };
  const blocks = Object.keys(blockRules).filter((kind) => !SHOWN_BY_PARENT.has(kind));
  // A block whose kind has been added since is shown as its source.
  expect(kindsIn('src/document/blocks.tsx', 'BLOCKS').toSorted()).toEqual(blocks.toSorted());
  expect(kindsIn('src/document/inlines.tsx', 'INLINES').toSorted()).toEqual(Object.keys(inlineRules).toSorted());
});
