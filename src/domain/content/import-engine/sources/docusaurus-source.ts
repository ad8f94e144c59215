import {
  type DocsPlugin,
  type DocusaurusConfig,
  isCategory,
  isConfig,
  readDocusaurusConfig,
} from '../../../../lib/foreign-formats/docusaurus-config.ts';
import { docusaurusContents } from '../../../../lib/foreign-formats/docusaurus-contents.ts';
import { type Doc, docOf } from '../../../../lib/foreign-formats/docusaurus-docs.ts';
import { dollarsOf } from '../../../../lib/foreign-formats/dollars-of.ts';
import type { Dollars } from '../../../../lib/foreign-formats/formulas.ts';
import { exportedLiteral } from '../../../../lib/foreign-formats/literals.ts';
import { withoutMembers } from '../../../../lib/front-matter.ts';
import { dataInYaml } from '../../../../lib/read-yaml.ts';
import { warning } from '../../../../lib/repository/report.ts';
import { folderOf, isInside, isMarkdown } from '../../../../lib/repository/repository-path.ts';
import type { SummaryItem } from '../../../../lib/repository/summary.ts';
import { mdxReader, unusedParts } from './mdx-reader.ts';
import type { OpenedFiles, RepositorySource } from './source.ts';

const MAX_BYTES = 1024 * 1024;

/** Whether the files are those of a Docusaurus site, or of the folder of its documents. */
export const isDocusaurus = (paths: readonly string[]) => paths.some((path) => isConfig(path) || isCategory(path));

/** A Docusaurus site: its documents in the order of its sidebars. Its configuration is parsed, never run. */
export async function docusaurusSource(opened: OpenedFiles): Promise<RepositorySource> {
  const report: RepositorySource['report'] = [];
  const site = await siteOf(opened, report);
  const added = new Map<string, string>();
  const docs: Doc[] = [];
  const contents: SummaryItem[] = [];
  for (const plugin of site.plugins) {
    const pluginDocs = await docsOf(opened, plugin);
    const describe = (title: string, description: string) => {
      const path = `${plugin.docs}/_category-${added.size + 1}.md`;
      added.set(path, `# ${title}\n\n${description}\n`);
      return path;
    };
    const categories = await categoriesOf(opened, plugin, report);
    const sidebars = await exportOf(opened, plugin.sidebars, report);
    contents.push(...docusaurusContents(sidebars, { docs: pluginDocs, categories, labels: site.labels, describe }));
    docs.push(...pluginDocs);
  }
  report.push(...leftOut(opened, docs));
  return { ...sourceOf(opened, { docs, added, folder: site.folder, dollars: site.dollars, report }), contents };
}

interface Site extends DocusaurusConfig {
  folder: string;
  dollars: Dollars;
}

async function siteOf(opened: OpenedFiles, report: RepositorySource['report']): Promise<Site> {
  const paths = opened.files.map(({ path }) => path);
  const config = paths.filter(isConfig).sort((a, b) => a.length - b.length)[0];
  const folder = config === undefined ? '' : folderOf(config);
  const { plugins, labels } = readDocusaurusConfig(await exportOf(opened, config, report), folder);
  const usedPlugins = plugins.filter(({ docs }) => paths.some((path) => isInside(path, docs) && isMarkdown(path)));
  const dollars = config === undefined ? 'literal' : dollarsOf(config, (await textOf(opened, config)) ?? '');
  return {
    labels,
    folder,
    dollars,
    plugins: usedPlugins.length > 0 ? usedPlugins : [{ docs: '', sidebars: undefined, route: 'docs' }],
  };
}

async function exportOf(
  opened: OpenedFiles,
  path: string | undefined,
  report: RepositorySource['report'],
): Promise<unknown> {
  const text = path === undefined ? undefined : await textOf(opened, path);
  if (path === undefined || text === undefined) return undefined;
  const value = path.endsWith('.json') ? jsonOf(text) : exportedLiteral(text, { isTypeScript: path.endsWith('.ts') });
  if (value === undefined) {
    report.push(warning(path, 'The file was not read: only exports that are written as literals can be.'));
  }
  return value;
}

async function textOf({ files, read }: OpenedFiles, path: string): Promise<string | undefined> {
  const file = files.find((each) => each.path === path);
  return file && file.size <= MAX_BYTES ? (await read(path)).toString('utf8') : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function docsOf(opened: OpenedFiles, plugin: DocsPlugin): Promise<Doc[]> {
  const docs: Doc[] = [];
  const names = new Set<string>();
  for (const { path, size } of opened.files) {
    if (!isInside(path, plugin.docs) || !isMarkdown(path) || isPartial(path)) continue;
    const doc = docOf(path, size > MAX_BYTES ? '' : (await opened.read(path)).toString('utf8'), plugin);
    const name = names.has(doc.path.toLowerCase()) ? path : doc.path;
    names.add(name.toLowerCase());
    docs.push({ ...doc, path: name });
  }
  return docs;
}

/** Files and folders whose name begins with an underscore are parts of other pages. */
const isPartial = (path: string) => /(?:^|\/)[_.]/.test(path) || /(?:^|\/)node_modules\//.test(path);

async function categoriesOf(opened: OpenedFiles, { docs }: DocsPlugin, report: RepositorySource['report']) {
  const categories = new Map<string, unknown>();
  for (const { path } of opened.files) {
    if (!isCategory(path) || !isInside(path, docs)) continue;
    const category = dataInYaml((await textOf(opened, path)) ?? '');
    if ('fault' in category) report.push(warning(path, `The file was not read: ${category.fault}.`));
    else categories.set(folderOf(docs === '' ? path : path.slice(docs.length + 1)), category.data);
  }
  return categories;
}

function leftOut({ files }: OpenedFiles, docs: readonly Doc[]): RepositorySource['report'] {
  const imported = new Set(docs.map(({ file }) => file));
  return files
    .filter(({ path }) => isMarkdown(path) && !imported.has(path) && !isPartial(path))
    .map(({ path }) =>
      warning(path, 'The file was not imported: it is not a document of the current version of the site.'),
    );
}

interface Parts {
  docs: readonly Doc[];
  /** Texts of pages that the site generates. */
  added: ReadonlyMap<string, string>;
  /** The folder of the site. */
  folder: string;
  dollars: Dollars;
  report: RepositorySource['report'];
}

function sourceOf(opened: OpenedFiles, { docs, added, folder, dollars, report }: Parts): RepositorySource {
  const byFile = new Map(docs.map((doc) => [doc.file, doc]));
  const byPath = new Map(docs.map((doc) => [doc.path, doc]));
  const files = opened.files.map((file) => ({ ...file, path: byFile.get(file.path)?.path ?? file.path }));
  const generated = [...added].map(([path, text]) => ({ path, size: text.length, place: { container: '' } }));
  const insertedFiles = new Set<string>();
  const readText = mdxReader(opened, folder, dollars, insertedFiles);
  const read = async (path: string) => {
    const file = byPath.get(path)?.file ?? path;
    return added.get(path) ?? withoutMembers(await readText(file, report), OWN);
  };
  const statics = folder === '' ? 'static/' : `${folder}/static/`;
  const assets = opened.files.flatMap(({ path }) =>
    path.startsWith(statics) ? [[path.slice(statics.length), path] as const] : [],
  );
  const aliases = new Map([
    ...assets,
    ...docs.flatMap((doc) => doc.aliases.map((alias) => [alias, doc.path] as const)),
  ]);
  return {
    files: [...files, ...generated],
    read,
    aliases,
    names: new Map(docs.map(({ path, file }) => [path, file])),
    report,
    leftOut: () => unusedParts(opened, isPartial, insertedFiles),
  };
}

/** Members of the front matter that are used here, or only concern the appearance of the site. */
const OWN = new Set(
  (
    'id slug sidebar_label sidebar_position sidebar_class_name sidebar_custom_props displayed_sidebar hide_title ' +
    'hide_table_of_contents toc_min_heading_level toc_max_heading_level pagination_label pagination_next pagination_prev ' +
    'custom_edit_url'
  ).split(' '),
);
