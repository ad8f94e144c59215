import type { Dollars } from '../../../../lib/foreign-formats/formulas.ts';
import { importsOf, readMdx } from '../../../../lib/foreign-formats/mdx.ts';
import { withFormulas } from '../../../../lib/foreign-formats/with-formulas.ts';
import { info, type ReportEntry, warning } from '../../../../lib/repository/report.ts';
import { folderOf, isMarkdown, joinPath } from '../../../../lib/repository/repository-path.ts';
import { decodeText, type OpenedFiles } from './source.ts';

const MAX_BYTES = 1024 * 1024;
/** Pages that insert each other do so at most this deep. */
const MAX_DEPTH = 5;
/** A page with everything that it inserts does not become larger, in characters. */
const MAX_INSERTED = 1024 * 1024;

/** Components that are reported, once each. */
const MAX_UNKNOWN = 200;

/**
 * Reads MDX files as Markdown, with the pages that they import inserted. `@site/` means the folder of the site. Adds
 * the paths of the inserted pages to `insertedFiles`.
 */
export function mdxReader(
  opened: OpenedFiles,
  site: string,
  dollars: Dollars = 'literal',
  insertedFiles: Set<string> = new Set(),
) {
  const sizes = new Map(opened.files.map(({ path, size }) => [path, size]));
  const unknown = new Set<string>();

  const readAt = async (
    path: string,
    report: ReportEntry[],
    budget: { characters: number },
    depth: number,
  ): Promise<string> => {
    const mdx = withSite(decodeText(await opened.read(path), path, report), site);
    const text = withFormulas(mdx, dollars);
    const inserted = new Map<string, { file: string; text: string }>();
    for (const module of importsOf(text)) {
      const file = joinPath(module.startsWith('/') ? '' : folderOf(path), module);
      const size = file === undefined || !isMarkdown(file) ? undefined : sizes.get(file);
      if (file === undefined || size === undefined || size > MAX_BYTES || depth >= MAX_DEPTH) continue;
      budget.characters -= size;
      if (budget.characters <= 0) continue;
      inserted.set(module, { file, text: withoutFront(await readAt(file, report, budget, depth + 1)) });
    }
    const partials = (module: string) => {
      const partial = inserted.get(module);
      budget.characters -= partial?.text.length ?? 0;
      if (!partial || budget.characters <= 0) return undefined;
      insertedFiles.add(partial.file);
      return partial.text;
    };
    return readMdx(text, partials, (component) => {
      if (unknown.has(component) || unknown.size >= MAX_UNKNOWN) return;
      unknown.add(component);
      report.push(info(path, `The component <${component}> has no counterpart here: the text in it was kept.`));
    });
  };
  return (path: string, report: ReportEntry[]) => readAt(path, report, { characters: MAX_INSERTED }, 0);
}

/** Addresses from the folder of the site, `@site/…`, are made relative to the root of the archive. */
const withSite = (text: string, site: string) =>
  text.replaceAll(/(?<=["'(])@site\//g, site === '' ? '/' : `/${site}/`).replaceAll(/(?<=\()pathname:\/\//g, '');

const withoutFront = (text: string) => text.replace(/^---\n[\s\S]*?\n---\n/, '');

/** Hidden files and dependencies are not part of a site. */
const OUTSIDE = /(?:^|\/)(?:\.|node_modules\/)/;

/** Entries for parts of pages that no page inserts. */
export const unusedParts = (
  { files }: OpenedFiles,
  isPart: (path: string) => boolean,
  insertedFiles: ReadonlySet<string>,
): ReportEntry[] =>
  files
    .filter(({ path }) => isMarkdown(path) && isPart(path) && !OUTSIDE.test(path) && !insertedFiles.has(path))
    .map(({ path }) => warning(path, 'The file was not imported: it is a part of pages, and no page inserts it.'));
