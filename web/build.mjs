import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/*
 * Bundles the web application into `dist/web/`, unless it was built from the same sources and packages: scripts and a style
 * sheet whose names have a hash, each also compressed, and `manifest.json`, which names those that the page begins with.
 */

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(import.meta.dirname, 'src');
const DIST = join(ROOT, 'dist', 'web');
const HASH = join(DIST, 'sources.sha256');
const MANIFEST = 'manifest.json';

/** Versions of browsers that are two years old. */
const BROWSERS = ['chrome130', 'firefox132', 'safari18'];

export async function buildWeb() {
  const hash = hashOfSources();
  if (builtFrom() === hash) return;
  const unfinished = `${DIST}.${process.pid}`;
  try {
    const manifest = await bundle(unfinished);
    mkdirSync(DIST, { recursive: true });
    // Each file is replaced at once, and the manifest last: other processes may build, or start, at the same time.
    for (const file of readdirSync(unfinished)) renameSync(join(unfinished, file), join(DIST, file));
    writeFileSync(join(unfinished, MANIFEST), JSON.stringify(manifest));
    renameSync(join(unfinished, MANIFEST), join(DIST, MANIFEST));
    removeOlderThanLastBuild();
    writeFileSync(HASH, hash);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function hashOfSources() {
  const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .concat(import.meta.filename, join(ROOT, 'package-lock.json'))
    .sort();
  const texts = files.map((file) => [relative(ROOT, file).replaceAll(sep, '/'), readFileSync(file, 'utf8')]);
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}

function builtFrom() {
  try {
    return readFileSync(HASH, 'utf8');
  } catch {
    return undefined;
  }
}

/** Pages that browsers have opened before still load files of the last build. */
function removeOlderThanLastBuild() {
  const last = statSync(HASH, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  for (const file of readdirSync(DIST)) {
    if (statSync(join(DIST, file)).mtimeMs < last - 60_000) rmSync(join(DIST, file), { force: true });
  }
}

async function bundle(directory) {
  const { build } = await import('rolldown');
  const { output } = await build({
    input: { main: join(SOURCES, 'main.tsx') },
    platform: 'browser',
    transform: { target: BROWSERS, define: { 'process.env.NODE_ENV': '"production"' }, jsx: { runtime: 'automatic' } },
    plugins: [graphqlTags(), styleSheet()],
    logLevel: 'warn',
    output: {
      dir: directory,
      minify: true,
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
      assetFileNames: '[name]-[hash][extname]',
    },
  });
  for (const { fileName } of output) compress(join(directory, fileName));
  const entry = output.find(({ type, isEntry }) => type === 'chunk' && isEntry);
  return {
    script: entry.fileName,
    preloads: entry.imports,
    styles: output.flatMap(({ fileName }) => (fileName.endsWith('.css') ? [fileName] : [])),
  };
}

/** The same name with `.br` and `.gz`. Files keep the time of the build, by which they are removed. */
function compress(file) {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  const now = new Date();
  utimesSync(file, now, now);
}

/** Replaces documents that are tagged with `graphql` by the modules that relay-compiler has made of them. */
function graphqlTags() {
  const filter = { id: /\.tsx?$/, code: /\bgraphql`/ };
  return {
    name: 'graphql-tags',
    transform: {
      filter,
      handler(code) {
        const names = new Set();
        const replaced = code.replaceAll(/\bgraphql`([^`]*)`/g, (_tag, text) => {
          const name = /\b(?:query|mutation|subscription|fragment)\s+(\w+)/.exec(text)?.[1];
          names.add(name);
          return `generated_${name}`;
        });
        const imports = [...names].map(
          (name) =>
            `import generated_${name} from ${JSON.stringify(join(SOURCES, '__generated__', `${name}.graphql.ts`))};`,
        );
        return { code: `${imports.join('')}${replaced}`, map: null };
      },
    },
  };
}

/** Collects the style sheets that modules import, in the order in which they are imported, in one file. */
function styleSheet() {
  const texts = new Map();
  return {
    name: 'style-sheet',
    load: {
      filter: { id: /\.css$/ },
      handler(id) {
        texts.set(id, readFileSync(id, 'utf8'));
        return { code: '', moduleType: 'js', moduleSideEffects: true };
      },
    },
    generateBundle() {
      const reached = new Set([...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry));
      const visit = (id) => {
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        for (const next of [...importedIds, ...dynamicallyImportedIds]) {
          if (reached.has(next)) continue;
          reached.add(next);
          visit(next);
        }
      };
      for (const entry of [...reached]) visit(entry);
      const source = [...reached].flatMap((id) => texts.get(id) ?? []).join('\n');
      if (source !== '') this.emitFile({ type: 'asset', name: 'main.css', source });
    },
  };
}

if (process.argv[1] === import.meta.filename) await buildWeb();
