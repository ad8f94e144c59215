import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const SRC = join(ROOT, 'src');

interface Import {
  from: string;
  to: string;
  isType: boolean;
}

/** Every import of a file of ours by another, as paths inside `src`. */
function importsOf(from: string): Import[] {
  const text = readFileSync(join(SRC, from), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\b(?<what>[^;'"]*?)(?:\bfrom\s*)?['"](?<path>\.[^'"]*)['"]|\bimport\(\s*['"](?<lazy>\.[^'"]*)['"]/gm,
  );
  return [...found].map(({ groups: { what = '', path, lazy } = {} }) => ({
    from,
    to: relative(SRC, join(SRC, dirname(from), path ?? lazy ?? '')),
    isType: what.trimStart().startsWith('type'),
  }));
}

const files = globSync('**/*.ts', { cwd: SRC });
const imports = files.flatMap(importsOf);

/** The groups of modules in the order that data flows. A group imports from those before it. */
const GROUPS = ['people', 'store', 'places', 'content', 'review', 'sources', 'publishing', 'insight', 'service'];

const moduleOf = (path: string) => /^domain\/[^/]+\/[^/]+\//.exec(path)?.[0];
const groupOf = (path: string) => GROUPS.indexOf(/^domain\/([^/]+)\//.exec(path)?.[1] ?? '');

/** The adapters of a module; a long one may have parts, named `graphql-….ts` or `web-….ts`. */
const isAdapterFile = (path: string) => /\/((?:graphql|web)(-[^/]+)?|rest)\.ts$/.test(path);

/** What stands outside all modules and may import anything. */
const isTop = (path: string) => !path.includes('/') || /^(demo|programs)\//.test(path);

/** Who may import whom; a path that no line here allows is refused. */
function isAllowed({ from, to, isType }: Import): boolean {
  if (isTop(from)) return true;
  if (from.startsWith('lib/')) return to.startsWith('lib/');
  // The type of the settings, which contexts carry; only the top reads them.
  if (from.startsWith('platform/') && to === 'config.ts') return isType;
  // package.json is the one place of the service's version.
  if (to === '../package.json') return !from.startsWith('lib/');
  if (from.startsWith('platform/')) return to.startsWith('lib/') || to.startsWith('platform/');
  return isAllowedInModule(from, to);
}

function isAllowedInModule(from: string, to: string): boolean {
  const module = moduleOf(from);
  const isAdapter = isAdapterFile(from);
  if (module === undefined) return false;
  if (to.startsWith('lib/')) return true;
  if (to.startsWith('platform/')) return isAdapter || !/^platform\/(graphql|http)\//.test(to);
  if (to.startsWith(module)) return isAdapter || !isAdapterFile(to);
  if (groupOf(to) > groupOf(from)) return false;
  return to === `${moduleOf(to)}index.ts` || (isAdapter && to === `${moduleOf(to)}graphql.ts`);
}

test('files only import what the import rules allow', () => {
  const refused = imports.filter((found) => !isAllowed(found)).map(({ from, to }) => `${from} imports ${to}`);
  expect(refused).toEqual([]);
});

test('the rule recognizes every form of import, and rejects violations', () => {
  expect(imports.length).toBeGreaterThan(files.length);
  const allowed = (from: string, to: string, isType = false) => isAllowed({ from, to, isType });
  const space = 'domain/places/spaces/update-space.ts';
  expect(allowed('lib/slug.ts', 'platform/ids/ids.ts')).toBe(false);
  expect(allowed('platform/ids/ids.ts', 'domain/places/spaces/index.ts')).toBe(false);
  expect(allowed('platform/context/context.ts', 'config.ts')).toBe(false);
  expect(allowed('platform/context/context.ts', 'config.ts', true)).toBe(true);
  expect(allowed(space, 'platform/graphql/builder.ts')).toBe(false);
  expect(allowed(space, 'domain/people/users/load.ts')).toBe(false);
  expect(allowed(space, 'domain/people/users/graphql.ts')).toBe(false);
  expect(allowed(space, 'domain/places/spaces/graphql.ts')).toBe(false);
  expect(allowed(space, 'domain/content/pages/index.ts', true)).toBe(false);
  expect(allowed(space, 'schema.ts')).toBe(false);
  expect(allowed('domain/places/spaces/rest.ts', 'domain/people/users/load.ts')).toBe(false);
  expect(allowed(space, 'domain/people/users/index.ts')).toBe(true);
  expect(allowed('domain/places/spaces/graphql.ts', 'domain/people/users/graphql.ts')).toBe(true);
});

test('adapters run no statement: what they read is read by their module', () => {
  const statements = /\bdb\b|\bselectFrom\b|\bsql[`<.]|\bexecute\(/;
  const adapters = files.filter((path) => path.startsWith('domain/') && isAdapterFile(path));
  expect(adapters.length).toBeGreaterThan(50);
  expect(statements.test("const row = await ctx.db.selectFrom('upload')")).toBe(true);
  expect(adapters.filter((path) => statements.test(readFileSync(join(SRC, path), 'utf8')))).toEqual([]);
});

test('every module is in a group', () => {
  const found = new Set(files.filter((path) => path.startsWith('domain/')).map((path) => path.split('/')[1]));
  expect([...found].sort()).toEqual([...GROUPS].sort());
});

test('no import cycles between files, types included', () => {
  expect(circlesOf(imports)).toEqual([]);
});

test('no import cycles between modules, types included', () => {
  const between = imports.flatMap(({ from, to, isType }) => {
    const [a, b] = [moduleOf(from), moduleOf(to)];
    return a && b && a !== b ? [{ from: a, to: b, isType }] : [];
  });
  expect(between.length).toBeGreaterThan(100);
  expect(circlesOf(between)).toEqual([]);
});

/** Pairs of folders of the platform that import each other. New ones are not to be added. */
const MUTUAL_FOLDERS = [
  // Released migrations import the statement of `compatibility`, whose place can no longer change.
  'compatibility database',
  // The request's context has the types of all services, which take contexts.
  ...['access', 'database', 'events', 'heavy-work', 'jobs', 'query-cost', 'rate-limit', 'secret-key'].map((name) =>
    [name, 'context'].toSorted().join(' '),
  ),
];

test('two folders of the platform import each other only if they are listed', () => {
  const folderOf = (path: string) => /^platform\/([^/]+)\//.exec(path)?.[1];
  const arrows = new Set(
    imports.flatMap(({ from, to }) => {
      const [one, other] = [folderOf(from), folderOf(to)];
      return one && other && one !== other ? [`${one} ${other}`] : [];
    }),
  );
  const mutual = [...arrows].filter((arrow) => {
    const [one = '', other = ''] = arrow.split(' ');
    return one < other && arrows.has(`${other} ${one}`);
  });
  expect(mutual.toSorted()).toEqual(MUTUAL_FOLDERS.toSorted());
});

test('cycles are detected', () => {
  const edge = (from: string, to: string) => ({ from, to, isType: false });
  expect(circlesOf([edge('a', 'b'), edge('b', 'c'), edge('c', 'b'), edge('c', 'd')])).toEqual([['b', 'c']]);
});

/** The strongly connected components of more than one member (Tarjan's algorithm). */
function circlesOf(edges: Import[]): string[][] {
  const next = Map.groupBy(edges, ({ from }) => from);
  const [order, low, stack, found] = [
    new Map<string, number>(),
    new Map<string, number>(),
    [] as string[],
    [] as string[][],
  ];
  const visit = (node: string) => {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    stack.push(node);
    for (const { to } of next.get(node) ?? []) {
      if (!order.has(to)) visit(to);
      if (stack.includes(to)) low.set(node, Math.min(low.get(node) ?? 0, low.get(to) ?? 0));
    }
    if (low.get(node) !== order.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const node of next.keys()) if (!order.has(node)) visit(node);
  return found;
}

test('every export is used', () => {
  const texts = globSync('{src,test,migrations,web/src}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  }).map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const uses = new Map<string, number>();
  for (const text of texts)
    for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) uses.set(word, (uses.get(word) ?? 0) + 1);
  const unused = files.flatMap((file) => {
    const declared = readFileSync(join(SRC, file), 'utf8').matchAll(
      /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm,
    );
    return [...declared].flatMap(([, name = '']) => (uses.get(name) === 1 ? [`${file}: ${name}`] : []));
  });
  expect(unused).toEqual([]);
});

/** The names that a file imports from others. Re-exports by an `index.ts` are no use of a name. */
function* namesImportedBy(path: string): Generator<string> {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const statements =
    /^(?<verb>import|export)\b[^;'"{]*\{(?<names>[^}]*)\}\s*from\b|\{(?<lazy>[^{}]*)\}\s*=\s*await import\(/gm;
  for (const { groups: { verb, names, lazy } = {} } of text.matchAll(statements)) {
    if (verb === 'export' && path.endsWith('/index.ts')) continue;
    for (const [, name = ''] of (names ?? lazy ?? '').matchAll(/(?:^|,)\s*(?:type\s+)?(\w+)/g)) yield name;
  }
}

/** Whether a file is also used as a module: by `import * as`, or by `import('…')` when it is first needed. */
const moduleUses = new Set(
  files.flatMap((from) =>
    [...readFileSync(join(SRC, from), 'utf8').matchAll(/\bimport(?: \* as \w+ from |\()\s*'(\.[^']+)'/g)].map(
      ([, path = '']) => join(dirname(from), path),
    ),
  ),
);

test('a value is exported only if another file imports it', () => {
  const users = globSync('{src,test,migrations,web/src}/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/node_modules/**'] });
  const imported = new Set(users.flatMap((path) => [...namesImportedBy(path)]));
  const unused = files.flatMap((file) => {
    if (moduleUses.has(file)) return [];
    const declared = readFileSync(join(SRC, file), 'utf8').matchAll(
      /^export (?:async )?(?:const|function\*?|class) (\w+)/gm,
    );
    // `work` is the function that a worker runs: it is found by the name of its file.
    return [...declared].flatMap(([, name = '']) =>
      name === 'work' || imported.has(name) ? [] : [`${file}: ${name}`],
    );
  });
  expect(imported.size).toBeGreaterThan(2_000);
  expect(unused).toEqual([]);
});

/**
 * Names that say what a file is, and that its folder completes: the function that a worker runs, and entities and types
 * of the graph, which are called like their tables and types.
 */
const isNamedByConvention = (file: string, name: string) =>
  name === 'work' || /\/entity\.ts$|\/graphql(?:-[^/]+)?\.ts$/.test(file);

test('a name is exported by one file', () => {
  const exporting = new Map<string, Set<string>>();
  for (const file of files) {
    const declared = readFileSync(join(SRC, file), 'utf8').matchAll(
      /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm,
    );
    for (const [, name = ''] of declared)
      if (!isNamedByConvention(file, name)) exporting.set(name, (exporting.get(name) ?? new Set()).add(file));
  }
  const shared = [...exporting].filter(([, found]) => found.size > 1);
  expect(shared.map(([name, found]) => `${name}: ${[...found].join(', ')}`)).toEqual([]);
});
