import { lstat, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * `npm run sizes`: writes the disk space of every dependency into docs/dependencies.md, with the packages that it
 * brings. One that several dependencies bring is counted in equal parts, so that the sizes add up to what `npm prune
 * --omit=dev` leaves.
 */

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs', 'dependencies.md');

/** File systems allocate whole blocks. */
const BLOCK_BYTES = 4096;
const MEBIBYTE = 1024 * 1024;

/** Node itself is not counted: it is used only where an older one is installed. */
const PACKAGED_NODE = /^node-/;

interface Package {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/**
 * Returns the mebibytes of every dependency that is not for development, with its share of the packages that it brings.
 */
export async function packageSizes(): Promise<Map<string, number>> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Package>;
  };
  const { dependencies = {} } = packages[''] ?? {};
  const names = Object.keys(dependencies).filter((name) => !PACKAGED_NODE.test(name));
  const own = new Set(names.map((name) => `node_modules/${name}`));
  const broughtBy = new Map(names.map((name) => [name, withBrought(`node_modules/${name}`, own, packages)]));
  const shares = new Map<string, number>();
  for (const path of [...broughtBy.values()].flatMap((paths) => [...paths]))
    shares.set(path, (shares.get(path) ?? 0) + 1);
  const bytes = new Map(
    await Promise.all([...shares.keys()].map(async (path) => [path, await diskSpace(path)] as const)),
  );
  const sizeOf = (path: string) => (bytes.get(path) ?? 0) / (shares.get(path) ?? 1) / MEBIBYTE;
  return new Map(
    names.map((name) => [name, [...(broughtBy.get(name) ?? [])].reduce((sum, path) => sum + sizeOf(path), 0)]),
  );
}

/** A package with those that it brings. Other dependencies of the project count for themselves. */
function withBrought(start: string, own: ReadonlySet<string>, packages: Record<string, Package>): Set<string> {
  const reached = new Set([start]);
  for (const path of reached) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const target = resolved(name, path, packages);
      if (target && !own.has(target)) reached.add(target);
    }
  }
  return reached;
}

/** Where Node finds a package that one at a path imports. */
function resolved(name: string, from: string, packages: Record<string, Package>): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

/** Without the packages that it contains, which count for themselves. 0 for those of other platforms. */
async function diskSpace(path: string): Promise<number> {
  const entries = await readdir(join(ROOT, path), { withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry) => {
    if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : diskSpace(join(path, entry.name));
    const { size } = await lstat(join(ROOT, path, entry.name));
    return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, entries.length > 0 ? BLOCK_BYTES : 0);
}

if (import.meta.main) {
  const sizes = await packageSizes();
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const page = await readFile(PAGE, 'utf8');
  const updated = page
    .replaceAll(/^\| `([^`]+)` \| [\d.]+ \|/gm, (row, name: string) => {
      const size = sizes.get(name);
      return size === undefined ? row : `| \`${name}\` | ${size.toFixed(1)} |`;
    })
    .replace(/(Together, they take )\d+( MB)/, `$1${Math.round(total)}$2`);
  await writeFile(PAGE, updated);
}
