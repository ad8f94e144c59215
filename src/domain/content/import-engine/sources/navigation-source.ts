import { isCategory, isConfig } from '../../../../lib/foreign-formats/docusaurus-config.ts';
import { dollarsOf } from '../../../../lib/foreign-formats/dollars-of.ts';
import { closesFence, type Fence, fenceOf } from '../../../../lib/foreign-formats/fence.ts';
import { exportedLiteral } from '../../../../lib/foreign-formats/literals.ts';
import { isMintlifyConfig, mintlifyContents } from '../../../../lib/foreign-formats/mintlify.ts';
import { isVitepressConfig, vitepressContents, vitepressDocs } from '../../../../lib/foreign-formats/vitepress.ts';
import { itemOf } from '../../../../lib/foreign-formats/wiki.ts';
import { withoutMembers } from '../../../../lib/front-matter.ts';
import { warning } from '../../../../lib/repository/report.ts';
import {
  decodeAddress,
  folderOf,
  isIndexFile,
  isInside,
  isMarkdown,
  withoutExtension,
} from '../../../../lib/repository/repository-path.ts';
import type { SummaryItem } from '../../../../lib/repository/summary.ts';
import { mdxReader, unusedParts } from './mdx-reader.ts';
import type { OpenedFiles, RepositorySource } from './source.ts';

const MAX_BYTES = 1024 * 1024;

/** A site that VitePress or Mintlify makes: its pages in the order of its navigation. Undefined for other files. */
export async function navigationSource(opened: OpenedFiles): Promise<RepositorySource | undefined> {
  const paths = opened.files.map(({ path }) => path);
  if (paths.some((path) => isConfig(path) || isCategory(path) || path === '.gitbook.yaml')) return undefined;
  const candidates = opened.files.filter(
    ({ path, size }) => size <= MAX_BYTES && (isVitepressConfig(path) || isMintlifyConfig(path)),
  );
  for (const { path } of candidates.toSorted((a, b) => a.path.length - b.path.length)) {
    const site = siteOf(path, (await opened.read(path)).toString('utf8'));
    if (site) return sourceOf(opened, path, site);
  }
  return undefined;
}

interface Site {
  docs: string;
  contents: readonly SummaryItem[] | undefined;
  text: string;
}

/** The navigation in a configuration; undefined if the file is none of a site. */
function siteOf(path: string, text: string): Site | undefined {
  if (isVitepressConfig(path)) {
    const config = exportedLiteral(text, { isTypeScript: /\.[cm]?ts$/.test(path) });
    const folder = path.replace(/(?:^|\/)\.vitepress\/.*$/s, '');
    const docs = vitepressDocs(config, folder);
    return { docs, contents: vitepressContents(config, docs), text };
  }
  const docs = folderOf(path);
  const contents = mintlifyContents(jsonOf(text), docs);
  return contents && { docs, contents, text };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sourceOf(opened: OpenedFiles, path: string, { docs, contents, text }: Site): RepositorySource {
  const report: RepositorySource['report'] = [];
  if (!contents)
    report.push(warning(path, 'The navigation was not read: only values that are written as literals can be.'));
  const isPart = (file: string) => isInside(file, docs) && PARTS.test(file);
  const pages = opened.files
    .map((file) => file.path)
    .filter((file) => isMarkdown(file) && isInside(file, docs) && !isPart(file));
  const insertedFiles = new Set<string>();
  const readMdx = mdxReader(opened, docs, dollarsOf(path, text), insertedFiles);
  const read = async (file: string) => withoutMembers(withoutScripts(await readMdx(file, report)), OWN);
  const isListed = listedIn(contents ?? []);
  const home = pages.find((page) => isIndexFile(page) && folderOf(page) === docs && !isListed(page));
  const others = pages.filter((page) => !isListed(page) && page !== home);
  const first = home === undefined ? [] : [{ ...itemOf(home), title: 'Home' }];
  const roots = new Map(pages.map((page) => [withoutExtension(page).slice(docs === '' ? 0 : docs.length + 1), page]));
  return {
    files: opened.files,
    read,
    ...(contents && { contents: [...first, ...contents, ...others.map(itemOf)] }),
    aliases: new Map([...roots, ...publicFiles(opened, docs)]),
    names: new Map(pages.map((page) => [page, page])),
    report,
    leftOut: () => unusedParts(opened, isPart, insertedFiles),
  };
}

/** Files that are hidden or parts of pages. */
const PARTS = /(?:^|\/)(?:[._]|node_modules\/|snippets\/)/;

/** Files of the folder `public` are at the root of the site. */
const publicFiles = ({ files }: OpenedFiles, docs: string): [string, string][] => {
  const folder = docs === '' ? 'public/' : `${docs}/public/`;
  return files.flatMap(({ path }) =>
    path.startsWith(folder) ? [[path.slice(folder.length), path] as [string, string]] : [],
  );
};

/** Whether a page is in the table of contents, whose addresses have no extension. */
function listedIn(items: readonly SummaryItem[]): (path: string) => boolean {
  const listed = new Set<string>();
  const visit = ({ url, children }: SummaryItem) => {
    if (url !== undefined) listed.add(keyOf(decodeAddress(url.replace(/#.*$/s, '')).replace(/^\//, '')));
    children.forEach(visit);
  };
  items.forEach(visit);
  return (path) => listed.has(keyOf(path));
}

/** The same for a page and for the folder that it is the page of. */
const keyOf = (path: string) =>
  withoutExtension(path)
    .replace(/(?:^|\/)(?:index|readme)?$/i, '')
    .toLowerCase();

/** Pages of Vue have scripts and styles, which show nothing. Those in code blocks stay. */
function withoutScripts(markdown: string): string {
  if (!/<(?:script|style)/.test(markdown)) return markdown;
  let fence: Fence | undefined;
  let end: string | undefined;
  const lines = markdown.split('\n').filter((line) => {
    if (end !== undefined) {
      if (line.includes(end)) end = undefined;
      return false;
    }
    if (fence) {
      if (closesFence(fence, line)) fence = undefined;
      return true;
    }
    fence = fenceOf(line);
    const name = /^<(script|style)(?=[\s>])/.exec(line)?.[1];
    if (name !== undefined && !line.includes(`</${name}>`)) end = `</${name}>`;
    return name === undefined;
  });
  return lines.join('\n');
}

/** Members of the front matter that are used here, or only concern the appearance of the site. */
const OWN = new Set(
  (
    'layout sidebarTitle mode api openapi keywords tag outline aside sidebar navbar footer editLink lastUpdated prev next head pageClass ' +
    'titleTemplate lang noindex groups'
  ).split(' '),
);
