import { mayBeMyst, readMyst } from '../../../../lib/exports/myst.ts';
import { finderByName, readNamedLinks } from '../../../../lib/exports/named-links.ts';
import { type ReportEntry, warning } from '../../../../lib/repository/report.ts';
import { isMarkdown } from '../../../../lib/repository/repository-path.ts';
import { mdxReader } from './mdx-reader.ts';
import { decodeText, type OpenedFiles, type Source } from './source.ts';

/** Files in markup that is not read. */
const OTHER_MARKUP = /\.(?:rst|textile|mediawiki|asciidoc|adoc|creole|org|pod|rdoc)$/i;

/** Folders of Markdown, in which pages can also be MDX or MyST and link to each other by name. */
export function repositorySource(opened: OpenedFiles): Source {
  const report: Source['report'] = opened.files.filter(({ path }) => OTHER_MARKUP.test(path)).map(leftOut);
  const readMdx = mdxReader(opened, '');
  const find = finderByName(opened.files.map(({ path }) => path));
  const read = async (path: string) => {
    const text = isMdx(path) ? await readMdx(path, report) : decodeText(await opened.read(path), path, report);
    if (!isMarkdown(path)) return text;
    const markdown = mayBeMyst(text) ? readMyst(text, noting(path, report)) : text;
    return readNamedLinks(markdown, find);
  };
  const mdx = opened.files.filter(({ path }) => isMdx(path)).map(({ path }) => [path, path] as const);
  return { files: opened.files, read, report, ...(mdx.length > 0 && { names: new Map(mdx) }) };
}

const isMdx = (path: string) => /\.mdx$/i.test(path);

/** The entry for a file in markup that is not read. */
export const leftOut = ({ path }: { path: string }): ReportEntry =>
  warning(
    path,
    'The file was not imported: only Markdown and HTML are read. Convert it first, for example with Pandoc.',
  );

/** Reports each message once for a file, at its first line. */
function noting(file: string, report: Source['report']) {
  const said = new Set<string>();
  return (outcome: ReportEntry['outcome'], message: string, line: number) => {
    if (said.has(message)) return;
    said.add(message);
    report.push({ severity: 'warning', outcome, file, line, message });
  };
}
