import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { BUNDLES, bundleDirectory, PROGRAMS } from './bundle.mjs';

/** A service that was started from an earlier bundle still loads parts of it. */
const KEPT_BUNDLES = 2;

/** Starts threads from a file beside it. */
const NOT_BUNDLED = [/^piscina$/];

/** Keeps what modules find by their address where it is: style sheets, documents, packages, the modules of threads. */
const keepAddresses = (directory) => ({
  name: 'keep-addresses',
  transform(code, id) {
    if (!code.includes('import.meta.')) return null;
    if (/\bimport\.meta\.(?:dirname|filename)\b/.test(code)) throw new Error(`${id}: use import.meta.url.`);
    const path = JSON.stringify(relative(directory, id).replaceAll('\\', '/'));
    return code
      .replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`)
      .replaceAll('import.meta.main', 'false');
  },
});

async function writeBundle(directory) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((name) => [name, join(import.meta.dirname, 'programs', `${name}.ts`)])),
    platform: 'node',
    external: NOT_BUNDLED,
    plugins: [keepAddresses(directory)],
    // Packages are bundled as they are published; nothing here can change what they are warned about.
    logLevel: 'silent',
  });
  // Written elsewhere first: others that build, or start, find a whole bundle or none.
  const unfinished = `${directory}.${process.pid}`;
  try {
    await bundle.write({
      dir: unfinished,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      keepNames: true,
      sourcemap: true,
      sourcemapExcludeSources: true,
      // V8 keeps the text of what it has loaded, and takes two bytes for each character where one needs them.
      charset: 'ascii',
      comments: false,
    });
    await rename(unfinished, directory).catch((error) => {
      if (!existsSync(directory)) throw error;
    });
  } finally {
    await bundle.close();
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function removeOldBundles() {
  const found = await Promise.all(
    (await readdir(BUNDLES)).map(async (name) => ({ path: join(BUNDLES, name), ...(await stat(join(BUNDLES, name))) })),
  );
  found.sort((a, b) => b.mtimeMs - a.mtimeMs);
  await Promise.all(found.slice(KEPT_BUNDLES).map(({ path }) => rm(path, { recursive: true, force: true })));
}

async function build() {
  const directory = bundleDirectory();
  if (existsSync(directory)) return;
  await mkdir(BUNDLES, { recursive: true });
  await writeBundle(directory);
  await removeOldBundles();
}

const { values } = parseArgs({ options: { optional: { type: 'boolean', default: false } } });

try {
  await build();
} catch (error) {
  process.stderr.write(`No bundle was built: ${error.message}\n`);
  if (values.optional)
    process.stderr.write('The service runs from its sources, which takes 50 MB more in each process.\n');
  else process.exitCode = 1;
}
