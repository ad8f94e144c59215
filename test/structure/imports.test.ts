import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..', '..', 'src');

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

const roomOf = (path: string) => /^domain\/[^/]+\//.exec(path)?.[0];

/** The two readings of a room; a long one may have parts, named `graphql-….ts`. */
const isAdapterFile = (path: string) => /\/(graphql(-[^/]+)?|rest)\.ts$/.test(path);

/** What stands outside all rooms and may import anything. */
const isTop = (path: string) => !path.includes('/') || path.startsWith('demo/');

/** Who may import whom; a path that no line here allows is refused. */
function isAllowed({ from, to, isType }: Import): boolean {
  if (isTop(from)) return true;
  if (from.startsWith('lib/')) return to.startsWith('lib/');
  // The shape of the settings, which contexts carry; reading them is for the top alone.
  if (from.startsWith('platform/') && to === 'config.ts') return isType;
  if (from.startsWith('platform/')) return to.startsWith('lib/') || to.startsWith('platform/');
  return isAllowedInRoom(from, to);
}

function isAllowedInRoom(from: string, to: string): boolean {
  const room = roomOf(from);
  const isAdapter = isAdapterFile(from);
  if (room === undefined) return false;
  // package.json is the one place of the service's version.
  if (to.startsWith('lib/') || to === '../package.json') return true;
  if (to.startsWith('platform/')) return isAdapter || !/^platform\/(graphql|http)\//.test(to);
  if (to.startsWith(room)) return isAdapter || !isAdapterFile(to);
  return to === `${roomOf(to)}index.ts` || (isAdapter && to === `${roomOf(to)}graphql.ts`);
}

test('files import only what their place allows', () => {
  const refused = imports.filter((found) => !isAllowed(found)).map(({ from, to }) => `${from} imports ${to}`);
  expect(refused).toEqual([]);
});

test('the rule sees imports of every form, and refuses what it is to refuse', () => {
  expect(imports.length).toBeGreaterThan(files.length);
  const allowed = (from: string, to: string, isType = false) => isAllowed({ from, to, isType });
  expect(allowed('lib/slug.ts', 'platform/ids.ts')).toBe(false);
  expect(allowed('platform/ids.ts', 'domain/spaces/index.ts')).toBe(false);
  expect(allowed('platform/context.ts', 'config.ts')).toBe(false);
  expect(allowed('domain/spaces/move-space.ts', 'platform/graphql/builder.ts')).toBe(false);
  expect(allowed('domain/spaces/move-space.ts', 'domain/users/load.ts')).toBe(false);
  expect(allowed('domain/spaces/move-space.ts', 'domain/users/graphql.ts')).toBe(false);
  expect(allowed('domain/spaces/move-space.ts', 'domain/spaces/graphql.ts')).toBe(false);
  expect(allowed('domain/spaces/move-space.ts', 'schema.ts')).toBe(false);
  expect(allowed('domain/spaces/rest.ts', 'domain/users/present.ts')).toBe(false);
  expect(allowed('domain/spaces/move-space.ts', 'domain/users/index.ts')).toBe(true);
  expect(allowed('domain/spaces/graphql.ts', 'domain/users/graphql.ts')).toBe(true);
});
