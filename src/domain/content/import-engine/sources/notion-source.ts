import { pageOfCsv } from '../../../../lib/foreign-formats/csv-page.ts';
import { readCallouts, withoutIds } from '../../../../lib/foreign-formats/notion.ts';
import { withFormulas } from '../../../../lib/foreign-formats/with-formulas.ts';
import { warning } from '../../../../lib/repository/report.ts';
import { baseName } from '../../../../lib/repository/repository-path.ts';
import { htmlSource } from './html-source.ts';
import { decodeText, type OpenedFiles, type RepositorySource } from './source.ts';

/** An export from Notion. Ids are removed from the names of pages; databases become pages with a table. */
export function notionSource(opened: OpenedFiles): RepositorySource {
  const renamed = withoutIds(opened.files.map(({ path }) => path).filter((path) => !isPartialTable(path, opened)));
  const originals = new Map([...renamed].map(([path, name]) => [name, path]));
  const files = opened.files.flatMap((file) => {
    const path = renamed.get(file.path);
    return path === undefined ? [] : [{ ...file, path: path.replace(/\.csv$/i, '.md') }];
  });
  const html = htmlSource({ files, read: (path) => opened.read(originals.get(path) ?? path) });
  const { report } = html;
  const pages = new Set(html.files.map(({ path }) => path));
  const read = async (path: string) => {
    if (html.names?.has(path)) return html.read(path);
    const table = originals.get(path.replace(/\.md$/, '.csv'));
    if (!originals.has(path) && table !== undefined) return tablePage(await opened.read(table), path);
    const original = originals.get(path) ?? path;
    return readCallouts(withFormulas(decodeText(await opened.read(original), original, report), 'tight'));
  };
  const tablePage = async (bytes: Buffer, path: string) => {
    const folder = path.slice(0, -'.md'.length);
    const pageOf = (name: string) => {
      const page = `${folder}/${name.replaceAll('/', ' ')}.md`;
      return pages.has(page) ? `/${page.split('/').map(encodeURIComponent).join('/')}` : undefined;
    };
    const text = decodeText(bytes, path, report);
    const { markdown, left: omitted, broken } = await pageOfCsv(text, baseName(folder), pageOf);
    if (broken)
      report.push(warning(path, `The table was not imported from line ${broken.line}, which ${broken.reason}.`));
    if (omitted.rows > 0) report.push(warning(path, `The last ${omitted.rows} rows of the table were not imported.`));
    if (omitted.columns > 0)
      report.push(warning(path, `The last ${omitted.columns} columns of the table were not imported.`));
    return markdown;
  };
  const entries = [...renamed].map(([path, name]) => [path, asPage(name, html)] as const);
  const names = new Map(entries.map(([path, page]) => [page, path]));
  const parts = entries.map(([path, page]) => [path.replace(/_all(?=\.csv$)/i, ''), page] as const);
  const aliases = new Map([...parts, ...entries].flatMap(([path, page]) => spellingsOf(path, page)));
  return { ...html, read, aliases, names };
}

/**
 * The paths that links to a file result in. A link is resolved from the renamed folder of its page, so that the first
 * folders are without ids and the others have them.
 */
function spellingsOf(path: string, page: string): [string, string][] {
  const [segments, renamed] = [path.split('/'), page.split('/')];
  return segments.map((_, count) => [[...renamed.slice(0, count), ...segments.slice(count)].join('/'), page]);
}

const asPage = (name: string, { aliases }: RepositorySource) => aliases?.get(name) ?? name.replace(/\.csv$/i, '.md');

/** Notion exports a database twice: as filtered by its view, and complete (`_all.csv`). */
function isPartialTable(path: string, { files }: OpenedFiles): boolean {
  if (!/\.csv$/i.test(path) || /_all\.csv$/i.test(path)) return false;
  const fullTable = path.replace(/\.csv$/i, '_all.csv');
  return files.some((file) => file.path === fullTable);
}
