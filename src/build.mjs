import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { BUNDLES, bundleDirectory, PROGRAMS } from './bundle.mjs';

/** A service that was started from an earlier bundle still loads parts of it. */
const KEPT_BUNDLES = 2;

/** Starts threads from a file beside it. */
const NOT_BUNDLED = [/^piscina$/];

const ENTRIES_OF_HEAVY_WORK = ['heavy-process-entry.ts', 'thread.ts'];

/** Names in the bundle of the modules that the process of heavy work and its threads load by their address. */
async function namesOfHeavyWork() {
  const names = new Map();
  const root = import.meta.dirname;
  for (const path of await readdir(root, { recursive: true })) {
    const isEntry = ENTRIES_OF_HEAVY_WORK.some((name) => path === join('platform', 'heavy-work', name));
    const isWork = path.endsWith('-work.ts') && EXPORTS_WORK.test(await readFile(join(root, path), 'utf8'));
    if (isEntry || isWork) names.set(join(root, path), path.replace(/\.ts$/, '').replaceAll(sep, '.'));
  }
  return names;
}

const EXPORTS_WORK = /^export (?:async function|function|const) work\b/m;

const ADDRESS_OF_MODULE = /\bnew URL\(\s*(['"])(\.{1,2}\/[^'"]+\.ts)\1,\s*import\.meta\.url\s*\)/g;

/**
 * Keeps what modules find by their address where it is: style sheets, documents, packages. Only modules of heavy work are
 * those of the bundle.
 */
const keepAddresses = (directory, heavyWork) => ({
  name: 'keep-addresses',
  transform(code, id) {
    if (!code.includes('import.meta.')) return null;
    if (/\bimport\.meta\.(?:dirname|filename)\b/.test(code)) throw new Error(`${id}: use import.meta.url.`);
    const path = JSON.stringify(relative(directory, id).replaceAll('\\', '/'));
    return code
      .replaceAll(ADDRESS_OF_MODULE, (address, _quote, module) => {
        const name = heavyWork.get(resolve(dirname(id), module));
        return name === undefined ? address : `new URL('./${name}.mjs', ${HERE})`;
      })
      .replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`)
      .replaceAll('import.meta.main', 'false')
      .replaceAll(HERE, 'import.meta.url');
  },
});

/** Stands for the address of the bundle until those of the sources are replaced. */
const HERE = '__address_of_the_bundle__';

const OUTPUT = {
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  keepNames: true,
  sourcemap: true,
  sourcemapExcludeSources: true,
  // V8 keeps the text of what it has loaded, and takes two bytes for each character where one needs them.
  charset: 'ascii',
  comments: false,
};

/** Programs, and modules of heavy work, share no chunks: these would be smaller and more. */
async function writeBundle(directory) {
  const { rolldown } = await import('rolldown');
  const heavyWork = await namesOfHeavyWork();
  const inputs = [
    Object.fromEntries(PROGRAMS.map((name) => [name, join(import.meta.dirname, 'programs', `${name}.ts`)])),
    Object.fromEntries([...heavyWork].map(([path, name]) => [name, path])),
  ];
  // Written elsewhere first: others that build, or start, find a whole bundle or none.
  const unfinished = `${directory}.${process.pid}`;
  try {
    for (const input of inputs) {
      await using bundle = await rolldown({
        input,
        platform: 'node',
        external: NOT_BUNDLED,
        plugins: [keepAddresses(directory, heavyWork)],
        // Packages are bundled as they are published; nothing here can change what they are warned about.
        logLevel: 'silent',
      });
      await bundle.write({ ...OUTPUT, dir: unfinished });
    }
    await rename(unfinished, directory).catch((error) => {
      if (!existsSync(directory)) throw error;
    });
  } finally {
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
