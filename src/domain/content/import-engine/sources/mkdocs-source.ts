import { type MkdocsConfig, readMkdocsConfig } from '../../../../lib/foreign-formats/mkdocs-config.ts';
import { ANY_SYNTAX } from '../../../../lib/foreign-formats/mkdocs-inline.ts';
import { readMkdocsMarkdown } from '../../../../lib/foreign-formats/mkdocs-markdown.ts';
import { snippetsIn } from '../../../../lib/foreign-formats/snippets.ts';
import { itemOf } from '../../../../lib/foreign-formats/wiki.ts';
import { withoutMembers } from '../../../../lib/front-matter.ts';
import { outlineOfFolders } from '../../../../lib/repository/folder-outline.ts';
import type { OutlineNode } from '../../../../lib/repository/outline.ts';
import { info, quote, type ReportOutcome, warning } from '../../../../lib/repository/report.ts';
import { folderOf, isIndexFile, isInside, isMarkdown, joinPath } from '../../../../lib/repository/repository-path.ts';
import type { SummaryItem } from '../../../../lib/repository/summary.ts';
import { containedPages, MAX_SNIPPET_DEPTH } from './contained-pages.ts';
import { decodeText, type OpenedFiles, type RepositorySource, type SourceFile } from './source.ts';

const MAX_CONFIG_BYTES = 64 * 1024;
const MAX_SNIPPET_BYTES = 256 * 1024;

const configOf = (paths: readonly string[]) =>
  paths.filter((path) => /(?:^|\/)mkdocs\.ya?ml$/.test(path)).sort((a, b) => a.length - b.length)[0];

export const isMkdocs = (paths: readonly string[]) => configOf(paths) !== undefined;

/** An MkDocs project: its pages in the order of its navigation. Undefined if its configuration cannot be read. */
export async function mkdocsSource(archive: OpenedFiles): Promise<RepositorySource> {
  const opened = withReadmes(archive);
  const report: RepositorySource['report'] = [];
  const path = configOf(opened.files.map((file) => file.path)) ?? 'mkdocs.yml';
  const config = await configAt(opened, path, report);
  const byPath = new Map(opened.files.map((file) => [file.path, file]));
  const find = (name: string) => {
    const places = config.bases.flatMap((base) => joinPath(base, name) ?? []);
    return places.map((place) => byPath.get(place)).find((file) => file && file.size <= MAX_SNIPPET_BYTES);
  };
  const inside = opened.files
    .map((file) => file.path)
    .filter((file) => isMarkdown(file) && isInside(file, config.docs));
  const isListed = listedIn(config.contents ?? [], opened.original);
  const contained = await containedPages({ opened, find, appended: config.appended }, inside, isListed);
  for (const file of contained) report.push(info(opened.original(file), 'The file is only part of other pages.'));
  const pages = inside.filter((file) => !contained.has(file));
  const unlisted = config.contents ? pages.filter((file) => !isListed(file)) : [];
  const folders = outlineOfFolders(pages, { root: config.docs, readme: joinPath(config.docs, 'README.md') ?? '' });
  const contents = config.contents ? [...config.contents, ...unlisted.map(itemOf)] : folders.map(itemOfNode);
  const read = async (file: string) => {
    const original = opened.original(file);
    const markdown = decodeText(await opened.read(file), original, report);
    const text = [markdown, ...config.appended.map((name) => `\n--8<-- "${name}"\n`)].join('\n');
    const includes = await snippetsOf({ read: opened.read, find }, text, (name) =>
      report.push(
        warning(original, `The snippet ${quote(name)} was kept as written, because its file does not exist.`),
      ),
    );
    const options = { syntax: config.syntax, note: noting(original, report) };
    return withoutMembers(
      readMkdocsMarkdown(text.replace(/\r\n?/g, '\n'), (name) => includes.get(name), options),
      OWN,
    );
  };
  return {
    files: opened.files,
    read,
    contents,
    aliases: opened.aliases,
    names: new Map(inside.map((file) => [file, opened.original(file)])),
    report,
  };
}

/** Reports each message once for a file. */
function noting(file: string, report: RepositorySource['report']) {
  const reported = new Set<string>();
  return (outcome: ReportOutcome, message: string) => {
    if (reported.has(message)) return;
    reported.add(message);
    report.push({ severity: outcome === 'changed' ? 'info' : 'warning', outcome, file, message });
  };
}

interface Renamed extends OpenedFiles {
  /** New names by the names in the archive. */
  aliases: ReadonlyMap<string, string>;
  /** The name in the archive. */
  original(path: string): string;
}

/** The files with the page of a folder, `index.md`, under the name that it has here. */
function withReadmes({ files, read }: OpenedFiles): Renamed {
  const paths = new Set(files.map(({ path }) => path));
  const renamed = new Map<string, string>();
  for (const { path } of files) {
    const readme = isIndexFile(path) ? joinPath(folderOf(path), 'README.md') : undefined;
    if (readme !== undefined && !paths.has(readme)) renamed.set(path, readme);
  }
  const originals = new Map([...renamed].map(([path, readme]) => [readme, path]));
  return {
    files: files.map((file) => ({ ...file, path: renamed.get(file.path) ?? file.path })),
    read: (path) => read(originals.get(path) ?? path),
    aliases: renamed,
    original: (path) => originals.get(path) ?? path,
  };
}

async function configAt(opened: OpenedFiles, path: string, report: RepositorySource['report']): Promise<MkdocsConfig> {
  const size = opened.files.find((file) => file.path === path)?.size ?? 0;
  const text = size > MAX_CONFIG_BYTES ? undefined : (await opened.read(path)).toString('utf8');
  const config =
    text === undefined ? `it is larger than ${MAX_CONFIG_BYTES} bytes` : readMkdocsConfig(text, folderOf(path));
  if (typeof config !== 'string') return config;
  report.push(warning(path, `The file was not read: ${config}.`));
  const docs = joinPath(folderOf(path), 'docs') ?? '';
  return { docs, contents: undefined, bases: [folderOf(path), docs], appended: [], syntax: ANY_SYNTAX };
}

function listedIn(items: readonly SummaryItem[], original: Renamed['original']): (path: string) => boolean {
  const addresses = new Set<string>();
  const visit = ({ url, children }: SummaryItem) => {
    if (url !== undefined) addresses.add(url);
    children.forEach(visit);
  };
  items.forEach(visit);
  return (path) => [path, original(path)].some((each) => addresses.has(itemOf(each).url ?? ''));
}

const itemOfNode = ({ file, title, children }: OutlineNode): SummaryItem => ({
  ...(file === null ? { title: title ?? '', isHeading: false, line: 1 } : itemOf(file)),
  children: children.map(itemOfNode),
});

async function snippetsOf(
  { read, find }: Pick<OpenedFiles, 'read'> & { find(name: string): SourceFile | undefined },
  text: string,
  missing: (name: string) => void,
): Promise<Map<string, string>> {
  const snippets = new Map<string, string>();
  let names = namesIn(text);
  for (let depth = 0; depth < MAX_SNIPPET_DEPTH && names.length > 0; depth++) {
    const next: string[] = [];
    for (const name of new Set(names)) {
      if (snippets.has(name)) continue;
      const file = find(name);
      if (file === undefined) missing(name);
      else {
        snippets.set(name, (await read(file.path)).toString('utf8').replace(/\r\n?/g, '\n'));
        next.push(...namesIn(snippets.get(name) ?? ''));
      }
    }
    names = next;
  }
  return snippets;
}

const namesIn = (text: string): string[] => snippetsIn(text).map(({ name }) => name);

/** Members of the front matter that only concern the appearance of the site. */
const OWN = new Set('hide icon template status search comments social hero'.split(' '));
