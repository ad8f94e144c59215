import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { buildWeb } from './web/build.mjs';

/*
 * Bundles the programs and the modules of workers into `dist/`, unless it was built from the same sources and packages. One
 * bundle is a few files in place of 3,600, which saves half of the time to start and 50 MB in each process. The web application
 * is bundled into `dist/web/`.
 */

const ROOT = import.meta.dirname;
const DIST = join(ROOT, 'dist');
const HASH = join(DIST, 'sources.sha256');

/** What the service has in common with the web application. */
const WEB_SOURCES = ['web/src/addresses.ts', 'web/persisted-queries.json'];

const sources = new Map(
  ['src', 'migrations']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(?:ts|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .concat(['build.mjs', 'package-lock.json', ...WEB_SOURCES].map((file) => join(ROOT, file)))
    .sort()
    .map((file) => [relative(ROOT, file).replaceAll(sep, '/'), readFileSync(file, 'utf8')]),
);

/** Programs, and the modules that workers load by their address (`ownModule` in src/platform/own-files.ts). */
function entries() {
  const modules = [...sources.values()].flatMap((text) => [...text.matchAll(/\bownModule\('([^']+)\.ts'\)/g)]);
  const programs = [...sources.keys()].flatMap((path) => /^src\/(programs\/.+)\.ts$/.exec(path)?.[1] ?? []);
  return Object.fromEntries(
    [...programs, ...modules.map(([, path]) => path)].map((path) => [
      path.replace(/^programs\//, '').replaceAll('/', '.'),
      join(ROOT, 'src', `${path}.ts`),
    ]),
  );
}

async function bundle(directory) {
  const { build } = await import('rolldown').catch((cause) => {
    throw new Error('The build needs the packages for development: run "npm ci".', { cause });
  });
  await build({
    input: entries(),
    platform: 'node',
    // Its decompression is bounded by replacing functions of its own copy of pako, see `bounded-objects.ts`.
    external: ['isomorphic-git'],
    // Lowers `using`, which Node 22 lacks.
    transform: { target: 'node22.18' },
    logLevel: 'silent',
    output: {
      dir: directory,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      // Classes that are renamed beside others keep their names in logs and in the database.
      keepNames: true,
      // V8 takes two bytes for each character of a text that is not ASCII.
      charset: 'ascii',
    },
  });
}

/** Files of the last build stay: a service that was started from it still loads some of them. */
function removeOlderThanLastBuild() {
  const last = statSync(HASH, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  for (const file of readdirSync(DIST)) {
    if (file === 'web') continue;
    if (statSync(join(DIST, file)).mtimeMs < last - 60_000) rmSync(join(DIST, file), { recursive: true, force: true });
  }
}

function builtFrom() {
  try {
    return readFileSync(HASH, 'utf8');
  } catch {
    return undefined;
  }
}

const hash = createHash('sha256')
  .update(JSON.stringify([...sources]))
  .digest('hex');
if (builtFrom() !== hash) {
  const unfinished = `${DIST}.${process.pid}`;
  try {
    await bundle(unfinished);
    mkdirSync(DIST, { recursive: true });
    // Each file is replaced at once: other processes may build, or start, at the same time.
    for (const file of readdirSync(unfinished)) renameSync(join(unfinished, file), join(DIST, file));
    removeOlderThanLastBuild();
    writeFileSync(HASH, hash);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
await buildWeb();
