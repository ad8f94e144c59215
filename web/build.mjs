import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { buildDirectory, filesIn, readSources } from '../build-directory.mjs';

/*
 * Bundles the web application into `dist/web/`, unless it was built from the same sources and packages: scripts and a style
 * sheet whose names have a hash, each also compressed, and `manifest.json`, which names those that the page begins with.
 */

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(import.meta.dirname, 'src');
const MANIFEST = 'manifest.json';

/** Versions of browsers that are two years old. */
const BROWSERS = ['chrome130', 'firefox132', 'safari18'];

export async function buildWeb() {
  const sources = readSources([...filesIn(SOURCES), import.meta.filename, join(ROOT, 'package-lock.json')]);
  await buildDirectory(join(ROOT, 'dist', 'web'), { sources, bundle, last: MANIFEST });
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
  const manifest = {
    script: entry.fileName,
    preloads: entry.imports,
    styles: output.flatMap(({ fileName }) => (fileName.endsWith('.css') ? [fileName] : [])),
  };
  writeFileSync(join(directory, MANIFEST), JSON.stringify(manifest));
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
