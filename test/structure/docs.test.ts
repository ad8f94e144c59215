import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { entities } from '../../src/entities.ts';
import { slugify } from '../../src/lib/slug.ts';
import { API_ERRORS } from '../../src/platform/errors/errors.ts';
import { routes } from '../../src/routes.ts';
import { schema } from '../../src/schema.ts';
import { settings } from '../../src/settings.ts';
import { packageSizes } from '../package-sizes.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const HANDBOOK = 'src/demo/handbook';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Page {
  path: string;
  text: string;
}

/** Every page that people read, by its path in the repository. */
const pages: Page[] = globSync(['*.md', 'docs/**/*.md', `${HANDBOOK}/**/*.md`], { cwd: ROOT })
  .sort()
  .map((path) => ({ path, text: read(path) }));

const pageAt = (path: string) => pages.find((page) => page.path === path)?.text ?? '';

const FENCE = /^( *)(```+)([^\n]*)\n([\s\S]*?)^\1\2 *$/gm;

interface Block {
  language: string;
  code: string;
}

const blocksOf = (text: string): Block[] =>
  [...text.matchAll(FENCE)].map(([, , , language = '', code = '']) => ({ language: language.trim(), code }));

const withoutBlocks = (text: string) => text.replaceAll(FENCE, '');

/** What is written between backticks, outside of blocks. */
const inlineCodeOf = (text: string) => [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** Faults of all pages: one line for each, with its page. */
const faultsOf = (judge: (page: Page) => string[]) =>
  pages.flatMap((page) => judge(page).map((fault) => `${page.path}: ${fault}`));

/** The rows of all tables of a page, each as its cells. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()));

test('finds the pages, and code in them', () => {
  expect(pages.length).toBeGreaterThan(25);
  expect(blocksOf('Text\n\n```sh\nnpm ci\n```\n')).toEqual([{ language: 'sh', code: 'npm ci\n' }]);
  expect(inlineCodeOf('`a`\n\n```\n`b`\n```\n')).toEqual(['a']);
});

test('troubleshooting quotes messages that the service has', () => {
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).map(read);
  const text = withoutBlocks(pageAt(`${HANDBOOK}/operation/troubleshooting.md`));
  const quoted = [...text.matchAll(/"([^"\n]+)"/g)].map(([, message = '']) => message);
  const isMessage = (message: string) => {
    const parts = message.split('…').map((part) => part.trim());
    return sources.some((source) => parts.every((part) => source.includes(part)));
  };
  expect(quoted.length).toBeGreaterThan(10);
  expect(quoted.filter((message) => !isMessage(message))).toEqual([]);
});

test.each([
  ['docs/configuration.md', 2],
  [`${HANDBOOK}/operation/settings.md`, 1],
])('%s lists every setting with its default, and no other', (path, column) => {
  const rows = rowsOf(pageAt(path)).filter(([name = '']) => /^`[A-Z_]+`$/.test(name));
  const told = new Map(rows.map((row) => [row[0]?.replaceAll('`', ''), row[column]]));
  expect([...told.keys()].sort()).toEqual(Object.keys(settings.shape).sort());
  for (const [name, schemaOf] of Object.entries(settings.shape)) {
    const value = schemaOf.safeParse(undefined).data;
    if (value === undefined) expect([name, told.get(name)]).not.toEqual([name, expect.stringMatching(/^`\d+`$/)]);
    else expect([name, told.get(name)]).toEqual([name, `\`${typeof value === 'boolean' ? Number(value) : value}\``]);
  }
});

/** Folders directly in a folder of `src`. */
const foldersIn = (path: string) =>
  globSync(`${path}/*/`, { cwd: ROOT }).map((found) => relative(join(ROOT, path), join(ROOT, found)));

const mapOf = (heading: string) =>
  new RegExp(`\\n###? [^\\n]*${heading}[^\\n]*\\n(.*?)(?=\\n## |\\n### |$)`, 's').exec(
    pageAt('docs/architecture.md'),
  )?.[1] ?? '';

test.each(['lib', 'platform'])('the map has exactly the folders of src/%s', (part) => {
  const named = rowsOf(mapOf(`\`src/${part}\``)).flatMap(([name = '']) => /^`([\w-]+)`$/.exec(name)?.[1] ?? []);
  expect(named.sort()).toEqual(foldersIn(`src/${part}`).sort());
});

/** The names of files in the first cells of the tables of a part of the map. */
const filesNamedIn = (heading: string) =>
  rowsOf(mapOf(heading)).flatMap(([names = '']) => [...names.matchAll(/`([\w-]+\.\w+)`/g)].map(([, name]) => name));

test.each([
  ['src', '`src/`'],
  ['src/lib', '`src/lib`'],
])('the map has exactly the files directly in %s', (folder, heading) => {
  const found = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(filesNamedIn(heading).sort()).toEqual(found.map(({ name }) => name).sort());
});

test('the map has exactly the modules of src/domain in their groups', () => {
  let group = '';
  const section = mapOf('`src/domain`').split('Inside a module:')[0] ?? '';
  const named = [...section.matchAll(/^\| (?:`([a-z-]+)`)? ?\| `([a-z-]+)` \|/gm)].map(([, first, module]) => {
    group = first ?? group;
    return `${group}/${module}`;
  });
  const found = foldersIn('src/domain').flatMap((each) =>
    foldersIn(`src/domain/${each}`).map((module) => `${each}/${module}`),
  );
  expect(named.sort()).toEqual(found.sort());
});

test('the data model has exactly the tables of the database', () => {
  const named = rowsOf(pageAt('docs/data-model.md')).flatMap(([cell = '']) =>
    [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name),
  );
  const tables = entities.map((entity) => entity.meta.tableName ?? entity.meta.name);
  expect([...new Set(named)].sort()).toEqual([...tables].sort());
});

test('docs/dependencies.md has exactly the dependencies', () => {
  const named = rowsOf(pageAt('docs/dependencies.md')).flatMap(([cell = '']) => /^`(.+)`$/.exec(cell)?.[1] ?? []);
  const { dependencies, optionalDependencies, devDependencies } = packageJson;
  expect(named.sort()).toEqual(Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).sort());
});

test('dependencies take at most 350 MB without the packaged Node, and docs/dependencies.md has the size of each', async () => {
  const sizes = await packageSizes();
  expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(350);
  const written = rowsOf(pageAt('docs/dependencies.md')).flatMap(([cell = '', size = '']) => {
    const name = /^`(.+)`$/.exec(cell)?.[1] ?? '';
    return sizes.has(name) ? [[name, /^\d+\.\d$/.test(size)]] : [];
  });
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries([...sizes.keys()].map((name) => [name, true])));
});

/** Anchors of a page, as GitHub and the service make them: a heading's text in lower case with hyphens. */
const anchorsOf = (text: string) =>
  [...withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slugify(heading.replaceAll('`', '')));

test('every link within the repository leads to a file and a heading that exist', () => {
  const faults = faultsOf(({ path, text }) => {
    const prose = withoutBlocks(text).replaceAll(/`[^`\n]+`/g, '');
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|url)="([^"]+)"/g)].map(([, a, b]) => a ?? b ?? '');
    return targets.filter((target) => !/^https?:/.test(target)).filter((target) => !leadsSomewhere(path, target));
  });
  expect(faults).toEqual([]);
});

function leadsSomewhere(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : join(dirname(from), file);
  // The handbook is read without the repository around it.
  if (from.startsWith(HANDBOOK) && !path.startsWith(HANDBOOK)) return false;
  if (!existsSync(join(ROOT, path)) || !statSync(join(ROOT, path)).isFile()) return false;
  return anchor === undefined || anchorsOf(read(path)).includes(anchor);
}

test('every GraphQL example is valid against the schema', () => {
  let count = 0;
  const faults = faultsOf(({ text }) =>
    blocksOf(text)
      .filter(({ language }) => language === 'graphql')
      .flatMap(({ code }) => {
        count += 1;
        return validate(schema, parse(code)).map(({ message }) => message);
      }),
  );
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(20);
});

const PARAMETER = /[{$:][^/]*/g;

/** Paths of REST with every parameter as `*`. */
const known = routes.map(({ method, path }) => ({ method, path: path.replaceAll(PARAMETER, '*') }));

/** Whether a route, with or without its last parameters, is the path; a path may have an example for a parameter. */
function isRoute(path: string, method: string | undefined): boolean {
  const parts = path.replaceAll(PARAMETER, '*').split('/');
  return known.some(({ method: ofRoute, path: route }) => {
    const names = route.split('/');
    return (
      names.length === parts.length &&
      (method === undefined || method === ofRoute) &&
      names.every((name, index) => name === '*' || name === parts[index])
    );
  });
}

test('every REST path in the text is a route', () => {
  let count = 0;
  const faults = faultsOf(({ text }) =>
    [
      ...text.matchAll(/(?:\b(GET|POST|PUT|PATCH|DELETE) |-X (\w+) [^\n]*?)?(\/v1(?:\/[\w{}$:*-]+)*)(?![\w.…])/g),
    ].flatMap(([, verb, option, path = '']) => {
      count += 1;
      if (path === '/v1' || isRoute(path, verb ?? option)) return [];
      return [`${verb ?? option ?? ''} ${path}`];
    }),
  );
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(50);
});

test('every npm script in the text exists', () => {
  const BUILT_IN = new Set(['ci', 'install', 'prune', 'run', 'start', 'test']);
  const faults = faultsOf(({ text }) =>
    [...text.matchAll(/\bnpm (run )?([a-z][a-z:-]*)/g)].flatMap(([call, run, name = '']) => {
      const isThere = run || name === 'start' || name === 'test' ? name in packageJson.scripts : BUILT_IN.has(name);
      return isThere || /^npm (scripts|on|or|and|for)$/.test(call) ? [] : [call];
    }),
  );
  expect(faults).toEqual([]);
});

/** Names in capitals that are no settings: what their sources have. */
const SOURCES = ['src/**/*.ts', 'test/database.ts', 'test/global-setup.ts', 'compose.yaml', 'schema.graphql'];

/** Variables that other software reads. */
const FOREIGN = new Set([
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'MALLOC_ARENA_MAX',
  'NODE_COMPILE_CACHE',
  'NODE_DISABLE_COMPILE_CACHE',
]);

/** Variables that the tests read. */
const OF_TESTS = new Set(['TEST_DATABASE_URL', 'TEST_POOLER', 'TEST_POSTGRES']);

/** Variables of the shell in examples. */
const OF_EXAMPLES = new Set(['STEMMA_TOKEN', 'ORG', 'SPACE', 'USER', 'PAGE', 'REVISION']);

test('every environment variable, error code and enum value in the text exists', () => {
  const words = new Set(
    globSync(SOURCES, { cwd: ROOT }).flatMap((path) =>
      [...read(path).matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([word]) => word),
    ),
  );
  const faults = faultsOf(({ text }) => {
    const inline = inlineCodeOf(text).flatMap((code) => /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?==|$)/.exec(code) ?? []);
    const assigned = blocksOf(text).flatMap(({ language, code }) =>
      /^(sh|shell)$/.test(language)
        ? [...code.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)
        : [],
    );
    const used = blocksOf(text).flatMap(({ code }) =>
      [...code.matchAll(/\$([A-Z_]+)\b/g)].map(([, name = '']) => name),
    );
    return [
      ...inline.filter((name) => !words.has(name) && !FOREIGN.has(name)),
      ...assigned.filter((name) => !(name in settings.shape) && !OF_EXAMPLES.has(name) && !OF_TESTS.has(name)),
      ...used.filter((name) => !OF_EXAMPLES.has(name)),
    ];
  });
  expect(faults).toEqual([]);
});

test('decisions list every error code with its status', () => {
  const rows = rowsOf(pageAt('docs/decisions/api.md')).filter(
    ([code = '', status = '']) => /^`[A-Z_]+`$/.test(code) && /^\d{3}$/.test(status),
  );
  const told = Object.fromEntries(rows.map(([code = '', status]) => [code.replaceAll('`', ''), Number(status)]));
  expect(told).toMatchObject(API_ERRORS);
});

test('quoted code equals the source', () => {
  let count = 0;
  const faults = faultsOf(({ text }) =>
    blocksOf(text).flatMap(({ language, code }) => {
      const [, path] = /^\/\/ (\S+)\n/.exec(code) ?? [];
      if (language !== 'ts' || path === undefined) return [];
      count += 1;
      return missingLines(read(path).split('\n'), code.split('\n').slice(1));
    }),
  );
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(4);
});

/** Lines of an excerpt that the source does not have, in this order; `…` stands for any lines. */
function missingLines(source: string[], excerpt: string[]): string[] {
  let from = 0;
  return excerpt
    .filter((line) => line.trim() !== '' && line.trim() !== '…')
    .filter((line) => {
      const at = source.indexOf(line, from);
      if (at >= 0) from = at + 1;
      return at < 0;
    });
}

test('every file that a README in the sources names exists, beside it or from `src` or the repository', () => {
  const readmes = globSync('src/**/README.md', { cwd: ROOT, exclude: ['src/demo/**', '**/texts/**'] });
  const named = readmes.flatMap((readme) =>
    inlineCodeOf(read(readme))
      .filter((code) => /^[\w./-]+\.(?:ts|tsx|js|mjs|json|md|css|sql|ya?ml)$/.test(code))
      .map((path) => ({ readme, path })),
  );
  const missing = named.filter(
    ({ readme, path }) => ![dirname(readme), 'src', '.'].some((folder) => existsSync(join(ROOT, folder, path))),
  );
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThan(40);
});

/** The peers of the benchmark have packages of their own. */
const isOurs = (path: string) => !path.includes('node_modules');

test('every page and heading that a comment cites exists', () => {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts', 'migrations/*.ts'], { cwd: ROOT }).filter(isOurs);
  const cited = files.flatMap((path) =>
    [...read(path).matchAll(/^ *(?:\/\/|\/?\*).*?\b(docs\/[a-z-]+\.md)(?:, ([A-Z][A-Za-z ]*[a-z]))?/gm)].map(
      ([, page = '', heading]) => ({ path, page, heading }),
    ),
  );
  const missing = cited.filter(({ page, heading }) => {
    const text = pageAt(page);
    return text === '' || (heading !== undefined && !anchorsOf(text).includes(slugify(heading)));
  });
  expect(missing).toEqual([]);
  expect(cited.length).toBeGreaterThan(4);
});

test('no comment cites a document that is not in the repository', () => {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts', 'migrations/*.ts'], { cwd: ROOT }).filter(isOurs);
  const cites = /\(?\b(?:decisions|specification) \d|\bgraphql\.md\b|(?<![-/\w])entities\.md\b/;
  const faults = files
    .filter((path) => path !== relative(ROOT, import.meta.filename))
    .flatMap((path) => (cites.test(read(path)) ? [path] : []));
  expect(faults).toEqual([]);
});

test('the glossary has at most forty terms in alphabetical order', () => {
  const terms = rowsOf(read('docs/glossary.md'))
    .map(([term = '']) => term)
    .filter((term) => term !== 'Term');
  expect(terms.length).toBeGreaterThan(20);
  expect(terms.length).toBeLessThanOrEqual(40);
  expect(terms).toEqual(terms.toSorted((a, b) => a.localeCompare(b)));
});
