import { isWikiPart, readWikiLinks, wikiContents } from '../../../../lib/foreign-formats/wiki.ts';
import { withFormulas } from '../../../../lib/foreign-formats/with-formulas.ts';
import { type ReportEntry, warning } from '../../../../lib/repository/report.ts';
import { isMarkdown } from '../../../../lib/repository/repository-path.ts';
import { decodeText, type OpenedFiles, type RepositorySource } from './source.ts';

const OTHER_MARKUP = /\.(?:rst|textile|mediawiki|asciidoc|adoc|creole|org|pod|rdoc)$/i;

/** Whether the files are those of a GitHub wiki: only these have a sidebar, header or footer of their own. */
export const isWiki = (paths: readonly string[]) =>
  paths.some(isWikiPart) && !paths.some((path) => /^summary\.md$/i.test(path));

const isHome = (path: string) => /^home\.(?:md|markdown)$/i.test(path);

/** The git repository of a wiki: its pages in the order of its sidebar. */
export async function wikiSource(opened: OpenedFiles): Promise<RepositorySource> {
  const report: ReportEntry[] = [];
  const parts = opened.files.map(({ path }) => path).filter(isWikiPart);
  const files = opened.files.filter(({ path }) => !isWikiPart(path));
  const pages = files.map(({ path }) => path).filter(isMarkdown);
  const sidebar = parts.find((path) => /(?:^|\/)_sidebar\./i.test(path));
  for (const path of parts.filter((part) => part !== sidebar)) {
    report.push(warning(path, 'Headers and footers of wikis are not imported.'));
  }
  for (const { path } of files.filter((file) => OTHER_MARKUP.test(file.path))) {
    report.push(warning(path, 'Only Markdown pages of wikis are imported.'));
  }
  const text = sidebar === undefined ? undefined : decodeText(await opened.read(sidebar), sidebar, report);
  const read = async (path: string) => {
    const text = withFormulas(decodeText(await opened.read(path), path, report), 'tight');
    return readWikiLinks(titled(text, path));
  };
  return { files, read, contents: wikiContents(text, pages, pages.find(isHome)), report };
}

/** Wiki pages are titled by their file name, whatever headings they have. */
function titled(markdown: string, path: string): string {
  const name = path
    .replace(/^.*\//s, '')
    .replace(/\.\w+$/, '')
    .replaceAll('-', ' ');
  return /^\s*# /.test(markdown) ? markdown : `# ${name}\n\n${markdown}`;
}
