import { join } from 'node:path';
import { buildDirectory, filesIn, readSources } from './build-directory.mjs';
import { buildWeb } from './web/build.mjs';

/*
 * Bundles the programs and the modules of workers into `dist/`, unless it was built from the same sources and packages. One
 * bundle is a few files in place of 3,600, which saves half of the time to start and 50 MB in each process. The web application
 * is bundled into `dist/web/`.
 */

const ROOT = import.meta.dirname;

/** What the service has in common with the web application. */
const WEB_SOURCES = ['web/src/addresses.ts', 'web/persisted-queries.json'];

const sources = readSources([
  ...['src', 'migrations']
    .flatMap((folder) => filesIn(join(ROOT, folder)))
    .filter((file) => /\.(?:ts|json)$/.test(file)),
  ...['build.mjs', 'package-lock.json', ...WEB_SOURCES].map((file) => join(ROOT, file)),
]);

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

await buildDirectory(join(ROOT, 'dist'), { sources, bundle });
await buildWeb();
