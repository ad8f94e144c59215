import { setImmediate } from 'node:timers/promises';
import type { ContentRef } from '../../lib/document/content-ref.ts';
import { parseMarkdown } from '../../lib/document/markdown/parse.ts';
import { type LinkTarget, resolveLink } from '../../lib/repository/links.ts';
import { planImport, type RepositoryPlan } from '../../lib/repository/plan.ts';
import type { PlannedPage } from '../../lib/repository/planned-page.ts';
import type { ReportEntry } from '../../lib/repository/report.ts';
import type { Archive } from '../../platform/archive/archive.ts';
import { badInput } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { lineFrom } from '../../platform/text.ts';
import { derive, type PreparedDocument, seededKeys } from '../documents/index.ts';

/** As long as a title of a page may be. */
const MAX_TITLE = 255;

/** More pages than this need an import run (decisions 4.2). */
const MAX_PAGES = 2_000;

/** A page ready to be inserted: with its id, its body, and what stands below it. */
export interface ReadPage {
  pageId: string;
  plan: PlannedPage;
  document: PreparedDocument | undefined;
  /** References of the page's own fields, resolved. */
  target: ContentRef | undefined;
  cover: { ref?: ContentRef; refDark?: ContentRef; yPos: number; height?: number } | undefined;
  children: ReadPage[];
}

/** A documentation repository as content: nothing of it is stored yet. */
export interface ReadRepository {
  pages: ReadPage[];
  /** Files that pages use: path in the archive, and the id they will have. */
  files: { path: string; fileId: string }[];
  report: ReportEntry[];
  pageCount: number;
}

/**
 * Reads a documentation repository: its tree of pages with bodies, links resolved to the ids that pages and files
 * will have. What cannot be resolved stays as it was written and is reported.
 */
export async function readRepository(archive: Archive): Promise<ReadRepository> {
  const encodings: ReportEntry[] = [];
  const plan = await planImport(archive.entries, async (path) => decode(await archive.read(path), path, encodings));
  const pageCount = countPages(plan.pages);
  if (pageCount > MAX_PAGES) {
    throw badInput(['url'], `The archive has ${pageCount} pages; up to ${MAX_PAGES} can be imported at once.`);
  }
  if (pageCount === 0)
    throw badInput(['url'], 'The archive has no Markdown page; put README.md or SUMMARY.md at its top.');
  const reader = new RepositoryReader(plan);
  const pages = await reader.read(plan.pages);
  const files = [...reader.files].map(([path, fileId]) => ({ path, fileId }));
  return { pages, files, report: [...encodings, ...plan.report, ...reader.report], pageCount };
}

const strict = new TextDecoder('utf-8', { fatal: true });

/** Text in UTF-8; bytes that are none are replaced, and the file is reported. */
function decode(bytes: Buffer, file: string, report: ReportEntry[]): string {
  try {
    return strict.decode(bytes);
  } catch {
    report.push({
      severity: 'warning',
      file,
      message: 'The file is not valid UTF-8; what could not be read was replaced.',
    });
    return bytes.toString('utf8');
  }
}

const countPages = (pages: readonly PlannedPage[]): number =>
  pages.reduce((count, { children }) => count + 1 + countPages(children), 0);

class RepositoryReader {
  readonly files = new Map<string, string>();
  readonly report: ReportEntry[] = [];
  readonly #plan: RepositoryPlan;
  readonly #pageIds = new Map<string, string>();

  constructor(plan: RepositoryPlan) {
    this.#plan = plan;
    // Ids first, since links lead forwards as well as back. The first mention of a file is its page.
    const visit = (page: PlannedPage) => {
      if (page.file !== null && !this.#pageIds.has(page.file)) this.#pageIds.set(page.file, newId('page'));
      page.children.forEach(visit);
    };
    plan.pages.forEach(visit);
  }

  async read(plans: readonly PlannedPage[]): Promise<ReadPage[]> {
    const pages: ReadPage[] = [];
    for (const plan of plans) {
      // Parsing takes a processor: other requests get their turn between pages.
      await setImmediate();
      pages.push(await this.#readPage(plan));
    }
    return pages;
  }

  async #readPage(plan: PlannedPage): Promise<ReadPage> {
    const { file, cover, target } = plan;
    const title = lineFrom(plan.title, MAX_TITLE);
    if (title !== plan.title) {
      const message = 'The title was changed: it was too long, or held control characters or direction marks.';
      this.report.push({ severity: 'warning', file: file ?? '', message });
    }
    return {
      pageId: (file === null ? undefined : this.#pageIds.get(file)) ?? newId('page'),
      plan: { ...plan, title, ...(plan.linkTitle === undefined ? {} : { linkTitle: lineFrom(plan.linkTitle, 100) }) },
      document: plan.kind === 'document' && plan.body.trim() !== '' ? this.#readBody(plan) : undefined,
      target: target && this.#refOf(target, file ?? '', plan.href ?? ''),
      cover: cover && this.#readCover(cover, file ?? ''),
      children: await this.read(plan.children),
    };
  }

  #readBody({ body, bodyLine, file }: PlannedPage): PreparedDocument {
    const name = file ?? '';
    const { document, degradations } = parseMarkdown(body, {
      nextKey: seededKeys(body),
      resolveLink: (url) => this.#refOf(resolveLink(name, url, this.#plan.known), name, url),
    });
    for (const { line, message } of degradations) {
      this.report.push({ severity: 'info', file: name, line: bodyLine + line - 1, message });
    }
    return derive(document);
  }

  #readCover({ ref, refDark, ...rest }: NonNullable<PlannedPage['cover']>, file: string): ReadPage['cover'] {
    const light = ref && this.#refOf(ref, file, '');
    const dark = refDark && this.#refOf(refDark, file, '');
    return { ...rest, ...(light ? { ref: light } : {}), ...(dark ? { refDark: dark } : {}) };
  }

  /** The content reference of a link; undefined leaves it as it was written. */
  #refOf(target: LinkTarget, file: string, url: string): ContentRef | undefined {
    if (target.kind === 'broken') {
      this.report.push({
        severity: 'warning',
        file,
        message: `The link "${url}" was kept as it is: ${target.reason}.`,
      });
      return undefined;
    }
    if (target.kind === 'url') return target.url.startsWith('#') ? undefined : { kind: 'url', url: target.url };
    if (target.note) this.report.push({ severity: 'info', file, message: `The link "${url}": ${target.note}.` });
    if (target.kind === 'file') return { kind: 'file', file: this.#fileId(target.path) };
    const page = this.#pageIds.get(target.file);
    if (page === undefined) return undefined;
    return target.anchor === undefined ? { kind: 'page', page } : { kind: 'anchor', page, anchor: target.anchor };
  }

  #fileId(path: string): string {
    const known = this.files.get(path) ?? newId('file');
    this.files.set(path, known);
    return known;
  }
}
