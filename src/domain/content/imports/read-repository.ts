import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { parseMarkdown } from '../../../lib/document/markdown/parse.ts';
import { type LinkTarget, resolveLink } from '../../../lib/repository/links.ts';
import { planImport, type RepositoryPlan } from '../../../lib/repository/plan.ts';
import type { PlannedPage } from '../../../lib/repository/planned-page.ts';
import { info, kept, quote, type ReportEntry, warning } from '../../../lib/repository/report.ts';
import { isMarkdown } from '../../../lib/repository/repository-path.ts';
import { badInput } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { lineFrom } from '../../../platform/text.ts';
import { derive, type PreparedDocument, seededKeys } from '../../store/bodies/index.ts';
import type { ReadDocument } from './packed-document.ts';
import type { Place, Source } from './sources/source.ts';

/** Maximum length of a page title. */
const MAX_TITLE = 255;

/** A page ready to be inserted, with its id and body. Its descendants follow it. */
export interface ReadPage {
  pageId: string;
  parentId: string | null;
  /** Without the body, which is parsed to `document`. */
  plan: Omit<PlannedPage, 'children' | 'body' | 'frontMatter'>;
  document: ReadDocument | undefined;
  /** Resolved reference of a link page. */
  target: ContentRef | undefined;
  cover: { ref?: ContentRef; refDark?: ContentRef; yPos: number; height?: number } | undefined;
}

/** A page whose document was just parsed. */
export type PreparedPage = Omit<ReadPage, 'document'> & { document: PreparedDocument | undefined };

/** A file that pages use, with its path in the source and the id it will have. */
export interface UsedFile {
  path: string;
  place: Place;
  fileId: string;
}

/** Receives pages and progress while a source is read. */
export interface Listener {
  /** Called once, before reading, with the number of possible pages. */
  found(pages: number): void;
  /** Called for each file that is read. */
  beat(): void;
  page(page: PreparedPage): void;
}

/**
 * Reads the page tree of a source, parents before children, with links resolved to the ids that pages and files will
 * have. Links that cannot be resolved are kept as written and reported.
 */
export async function readRepository(source: Source, maxPages: number, listener: Listener) {
  listener.found(source.files.filter(({ path }) => isMarkdown(path)).length);
  const read = (path: string) => {
    listener.beat();
    return source.read(path);
  };
  const plan = await planImport(source.files, read, source);
  const pageCount = countPages(plan.pages);
  if (pageCount > maxPages) throw new TooManyPages(pageCount);
  if (pageCount === 0) {
    throw badInput(['url'], 'The archive has no Markdown page. Put a README.md or SUMMARY.md at its top level.');
  }
  const reader = new RepositoryReader(plan, source, listener);
  reader.read(plan.pages, null);
  return { files: reader.used(), report: reportOf(source, [...plan.report, ...reader.report]), pageCount };
}

/** The source has more pages than the limit. */
export class TooManyPages extends Error {
  override name = 'TooManyPages';
  readonly pages: number;

  constructor(pages: number) {
    super(`The source has ${pages} pages.`);
    this.pages = pages;
  }
}

/** Reports converted files by their original name, without line numbers of the Markdown. */
function reportOf({ names, report }: Source, said: readonly ReportEntry[]): ReportEntry[] {
  // A missing table of contents is not worth reporting when no file was Markdown originally.
  const meant = names?.size ? said.filter(({ file, severity }) => file !== 'SUMMARY.md' || severity !== 'info') : said;
  const own = meant.map(({ line, ...entry }) => {
    const name = names?.get(entry.file);
    if (name !== undefined) return { ...entry, file: name };
    return line === undefined ? entry : { ...entry, line };
  });
  return [...report, ...own];
}

const countPages = (pages: readonly PlannedPage[]): number =>
  pages.reduce((count, { children }) => count + 1 + countPages(children), 0);

class RepositoryReader {
  readonly report: ReportEntry[] = [];
  readonly #plan: RepositoryPlan;
  readonly #listener: Listener;
  readonly #places: ReadonlyMap<string, Place>;
  readonly #pageIds = new Map<string, string>();
  readonly #files = new Map<string, string>();

  constructor(plan: RepositoryPlan, { files }: Source, listener: Listener) {
    this.#plan = plan;
    this.#listener = listener;
    this.#places = new Map(files.map(({ path, place }) => [path, place]));
    // Ids come first, since links can point forwards. The first mention of a file is its page.
    const visit = (page: PlannedPage) => {
      if (page.file !== null && !this.#pageIds.has(page.file)) this.#pageIds.set(page.file, newId('page'));
      page.children.forEach(visit);
    };
    plan.pages.forEach(visit);
  }

  used(): UsedFile[] {
    return [...this.#files].flatMap(([path, fileId]) => {
      const place = this.#places.get(path);
      return place ? [{ path, place, fileId }] : [];
    });
  }

  read(plans: readonly PlannedPage[], parentId: string | null): void {
    for (const plan of plans) {
      const page = this.#readPage(plan, parentId);
      this.#listener.page(page);
      this.read(plan.children, page.pageId);
    }
  }

  #readPage({ children: _, body, frontMatter, ...plan }: PlannedPage, parentId: string | null): PreparedPage {
    const { file, cover, target } = plan;
    const title = lineFrom(plan.title, MAX_TITLE);
    if (title !== plan.title) {
      const message = 'The title was changed: it was too long, or contained control characters or direction marks.';
      this.report.push({ ...warning(file ?? '', message), outcome: 'changed' });
    }
    return {
      pageId: (file === null ? undefined : this.#pageIds.get(file)) ?? newId('page'),
      parentId,
      plan: { ...plan, title, ...(plan.linkTitle === undefined ? {} : { linkTitle: lineFrom(plan.linkTitle, 100) }) },
      document: plan.kind === 'document' && body.trim() !== '' ? this.#readBody(body, plan) : undefined,
      target: target && this.#refOf(target, file ?? '', plan.href ?? ''),
      cover: cover && this.#readCover(cover, file ?? ''),
    };
  }

  #readBody(body: string, { bodyLine, file }: Pick<PlannedPage, 'bodyLine' | 'file'>): PreparedDocument {
    const name = file ?? '';
    const { document, degradations } = parseMarkdown(body, {
      nextKey: seededKeys(body),
      resolveLink: (url) => this.#refOf(resolveLink(name, url, this.#plan.known), name, url),
    });
    for (const { line, message } of degradations) this.report.push(info(name, message, bodyLine + line - 1));
    return derive(document);
  }

  #readCover({ ref, refDark, ...rest }: NonNullable<PlannedPage['cover']>, file: string): ReadPage['cover'] {
    const light = ref && this.#refOf(ref, file, '');
    const dark = refDark && this.#refOf(refDark, file, '');
    return { ...rest, ...(light ? { ref: light } : {}), ...(dark ? { refDark: dark } : {}) };
  }

  /** The content reference of a link; undefined to keep it as written. */
  #refOf(target: LinkTarget, file: string, url: string): ContentRef | undefined {
    if (target.kind === 'broken') {
      this.report.push(kept(file, `The link ${quote(url)} was kept as written: ${target.reason}.`));
      return undefined;
    }
    if (target.kind === 'url') return target.url.startsWith('#') ? undefined : { kind: 'url', url: target.url };
    if (target.note) this.report.push(info(file, `The link ${quote(url)}: ${target.note}.`));
    if (target.kind === 'file') return { kind: 'file', file: this.#fileId(target.path) };
    const page = this.#pageIds.get(target.file);
    if (page === undefined) return undefined;
    return target.anchor === undefined ? { kind: 'page', page } : { kind: 'anchor', page, anchor: target.anchor };
  }

  #fileId(path: string): string {
    const known = this.#files.get(path) ?? newId('file');
    this.#files.set(path, known);
    return known;
  }
}
