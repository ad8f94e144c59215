import { confluenceContents, isConfluenceIndex } from '../../../../lib/foreign-formats/confluence.ts';
import { itemOf } from '../../../../lib/foreign-formats/wiki.ts';
import { convertHtml } from '../../../../lib/html/convert-html.ts';
import { decodeHtml } from '../../../../lib/html/decode.ts';
import { HtmlError } from '../../../../lib/html/parse-html.ts';
import { type ReportEntry, warning } from '../../../../lib/repository/report.ts';
import { decodeAddress } from '../../../../lib/repository/repository-path.ts';
import type { SummaryItem } from '../../../../lib/repository/summary.ts';
import type { OpenedFiles, RepositorySource } from './source.ts';

/** Larger HTML pages are not read: parsing takes a hundred times the size in memory. */
export const MAX_HTML_BYTES = 3 * 1024 * 1024;

export const isHtml = (path: string) => /\.(?:html?|xhtml)$/i.test(path);

/** HTML pages, each converted to Markdown. */
export function htmlSource(opened: OpenedFiles, contents?: readonly SummaryItem[]): RepositorySource {
  const paths = new Set(opened.files.map(({ path }) => path));
  const names = new Map<string, string>();
  const files = opened.files.map((file) => {
    if (!isHtml(file.path)) return file;
    const path = markdownName(file.path, paths);
    paths.add(path);
    names.set(path, file.path);
    // `MAX_HTML_BYTES` is the limit instead of that for Markdown files.
    return { ...file, path, size: file.size > MAX_HTML_BYTES ? Number.POSITIVE_INFINITY : 0 };
  });
  const report: ReportEntry[] = [];
  const aliases = new Map([...names].map(([path, original]) => [original, path]));
  const read = async (path: string) => {
    const name = names.get(path);
    if (name === undefined) return (await opened.read(path)).toString('utf8');
    return htmlToMarkdown(await opened.read(name), name, report);
  };
  return { files, read, names, aliases, report, contents };
}

function markdownName(path: string, paths: ReadonlySet<string>): string {
  const plain = path.replace(/\.\w+$/, '');
  const isIndex = /(?:^|\/)(?:index|default)$/i.test(plain);
  const markdownPath = isIndex ? `${plain.slice(0, plain.lastIndexOf('/') + 1)}README.md` : `${plain}.md`;
  return paths.has(markdownPath) ? `${path}.md` : markdownPath;
}

/** Converts a page to Markdown. What Markdown cannot express is reported. */
export function htmlToMarkdown(bytes: Uint8Array, name: string, report: ReportEntry[]): string {
  try {
    const { markdown, notes } = convertHtml(decodeHtml(bytes));
    for (const { outcome, line, message } of notes) {
      const severity = outcome === 'dropped' ? 'warning' : 'info';
      report.push({ severity, outcome, file: name, ...(line === undefined ? {} : { line }), message });
    }
    return markdown;
  } catch (error) {
    if (!(error instanceof HtmlError) && !(error instanceof RangeError)) throw error;
    const reason = error instanceof HtmlError ? error.message : 'it is too complex';
    report.push(warning(name, `The page is empty: ${reason}.`));
    return '';
  }
}

/** An HTML export of a Confluence space: the pages in the order of its index. The index itself is not a page. */
export async function confluenceSource(opened: OpenedFiles): Promise<RepositorySource | undefined> {
  const index = opened.files.find(({ path }) => path === 'index.html');
  if (!index || index.size > MAX_HTML_BYTES) return undefined;
  const text = decodeHtml(await opened.read('index.html'));
  const listed = isConfluenceIndex(text) ? confluenceContents(text) : undefined;
  if (!listed) return undefined;
  const files = opened.files.filter(({ path }) => path !== 'index.html');
  const source = htmlSource({ ...opened, files });
  const mentioned = new Set(addressesIn(listed));
  const others = [...(source.names ?? [])].filter(([, name]) => !mentioned.has(name) && !name.includes('/'));
  const contents = [...named(listed, source.aliases), ...others.map(([path]) => itemOf(path))];
  return { ...source, contents };
}

const addressesIn = (items: readonly SummaryItem[]): string[] =>
  items.flatMap(({ url, children }) => [...(url === undefined ? [] : [decodeAddress(url)]), ...addressesIn(children)]);

/** The entries with the names of the converted files. */
const named = (items: readonly SummaryItem[], aliases: RepositorySource['aliases']): SummaryItem[] =>
  items.map((item) => {
    const path = item.url === undefined ? undefined : aliases?.get(decodeAddress(item.url));
    const url = path === undefined ? {} : { url: itemOf(path).url };
    return { ...item, ...url, children: named(item.children, aliases) };
  });
