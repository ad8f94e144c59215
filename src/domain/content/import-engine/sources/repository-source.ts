import { readEditorMarkdown } from '../../../../lib/foreign-formats/editor-markdown.ts';
import { mayBeMyst, readMyst } from '../../../../lib/foreign-formats/myst.ts';
import { finderByName, readNamedLinks } from '../../../../lib/foreign-formats/named-links.ts';
import { type ReportEntry, warning } from '../../../../lib/repository/report.ts';
import { baseName, isMarkdown, withoutExtension } from '../../../../lib/repository/repository-path.ts';
import { slugify } from '../../../../lib/slug.ts';
import { mdxReader } from './mdx-reader.ts';
import { decodeText, type OpenedFiles, type RepositorySource } from './source.ts';

/** Files in markup that is not read. */
const OTHER_MARKUP = /\.(?:rst|textile|mediawiki|asciidoc|adoc|creole|org|pod|rdoc)$/i;

/** Folders of Markdown, in which pages can also be MDX or MyST and link to each other by name. */
export function repositorySource(opened: OpenedFiles): RepositorySource {
  const report: RepositorySource['report'] = opened.files.filter(({ path }) => OTHER_MARKUP.test(path)).map(leftOut);
  const readMdx = mdxReader(opened, '');
  const find = finderByName(opened.files.map(({ path }) => path));
  const names = new Map(opened.files.filter(({ path }) => isMdx(path)).map(({ path }) => [path, path]));
  const bySlug = pathsBySlug(opened);
  const readText = async (path: string) => {
    if (isMdx(path)) return readMdx(path, report);
    const text = decodeText(await opened.read(path), path, report);
    const converted = isMarkdown(path) ? readEditorMarkdown(text, (slug) => bySlug.get(slug)) : text;
    if (converted !== text) names.set(path, path);
    return converted;
  };
  const read = async (path: string) => {
    const text = await readText(path);
    if (!isMarkdown(path)) return text;
    const markdown = mayBeMyst(text) ? readMyst(text, noting(path, report)) : text;
    return readNamedLinks(markdown, find);
  };
  return { files: opened.files, read, report, names };
}

/** Addresses of pages by the slugs of their names, as links of editors have them. */
const pathsBySlug = ({ files }: OpenedFiles): ReadonlyMap<string, string> =>
  new Map(
    files
      .filter(({ path }) => isMarkdown(path))
      .map(({ path }) => [
        slugify(withoutExtension(baseName(path))),
        `/${path.split('/').map(encodeURIComponent).join('/')}`,
      ]),
  );

const isMdx = (path: string) => /\.mdx$/i.test(path);

/** The entry for a file in markup that is not read. */
const leftOut = ({ path }: { path: string }): ReportEntry =>
  warning(
    path,
    'The file was not imported: only Markdown and HTML are read. Convert it first, for example with Pandoc.',
  );

/** Reports each message once for a file, at its first line. */
function noting(file: string, report: RepositorySource['report']) {
  const reported = new Set<string>();
  return (outcome: ReportEntry['outcome'], message: string, line: number) => {
    if (reported.has(message)) return;
    reported.add(message);
    report.push({ severity: 'warning', outcome, file, line, message });
  };
}
