import { makeYielder } from '../../../../lib/tick.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import { type DocumentInput, readBody } from '../../../store/bodies/index.ts';
import type { ValidatedBody } from '../../../store/prepared-bodies/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import { findVisiblePage } from '../../../store/trees/index.ts';
import type { DescribedBlob } from '../../files/index.ts';
import type { ChangePath } from './change-path.ts';
import { type FileSource, storeFile } from './file-source.ts';
import { type NewPage, NewPages } from './new-pages.ts';
import { Refs } from './refs.ts';
import { RevertedPages } from './reverted-pages.ts';
import { TextReads } from './text-reads.ts';
import { urlTargets } from './url-targets.ts';

/** Limit for the Markdown of all changes of a call. */
const MAX_CHARACTERS = 1_000_000;

/** Limits for the files of all changes of a call, and for the time to download them. */
const MAX_FILES = 100;
const FETCHING_MS = 60_000;
/** Time for the rest of a call that downloads files. */
const REST_MS = 30_000;

/** State that the changes of a call share before the transaction. */
export class Preparation {
  readonly ctx: Context;
  readonly organizationId: string;
  readonly refs = new Refs();
  /** The revision that the changes are based on. */
  readonly base: () => Promise<RevisionRow>;
  readonly #newPages = new NewPages();
  readonly revertedPages = new RevertedPages();
  readonly textReads = new TextReads(this.#newPages);
  readonly #fetchingEnds = performance.now() + FETCHING_MS;
  #characters = 0;
  readonly #pause = makeYielder();
  #files = 0;
  #inserted = { done: 0, total: 0 };

  constructor(ctx: Context, organizationId: string, base: () => Promise<RevisionRow>) {
    this.ctx = ctx;
    this.organizationId = organizationId;
    let read: Promise<RevisionRow> | undefined;
    this.base = () => {
      read ??= base();
      return read;
    };
  }

  /** Declares a page that a change of the call creates. */
  declarePage(page: Omit<NewPage, 'pageId'>, ref: string | null | undefined, path: ChangePath): void {
    this.#newPages.add(path, { ...page, pageId: this.refs.create('page', ref, path) });
  }

  /** The id of the page that the change at this path creates. */
  newPageId(path: ChangePath): string {
    return this.#newPages.at(path).pageId;
  }

  /** The titles that a page has before the call, or is created with. */
  async titlesOf(idOrRef: string): Promise<string[]> {
    const pageId = this.refs.idOf(idOrRef);
    const created = this.#newPages.all.flatMap((page) => (page.pageId === pageId ? page.title : []));
    return created.length > 0
      ? created
      : [(await findVisiblePage(this.ctx, await this.base(), { pageId }))?.title ?? []].flat();
  }

  /**
   * Reads the body of the change at this path. `pageId` is the page, if it exists already. URLs of content in Markdown
   * become references. Yields to the event loop before parsing, which takes processor time.
   */
  async readBody(
    document: DocumentInput | null | undefined,
    path: ChangePath,
    pageId?: string,
  ): Promise<ValidatedBody | undefined> {
    if (document == null) return undefined;
    this.#characters += document.markdown?.length ?? 0;
    if (this.#characters > MAX_CHARACTERS) {
      throw badInput(
        ['changes'],
        `contain more than ${MAX_CHARACTERS} characters of Markdown in total. Split them into several requests.`,
        'TOO_LONG',
      );
    }
    await this.#pause();
    return readBody(this.ctx, this.organizationId, document, [...path, 'document'], async (addresses) =>
      urlTargets(this.ctx, addresses, await this.base(), {
        newPages: this.#newPages,
        refs: this.refs,
        on: pageId === undefined ? this.#newPages.find(path) : { pageId: this.refs.idOf(pageId) },
      }),
    );
  }

  /** Declares files that a change of the call inserts, so that the caller learns how many are left. */
  declareFiles(count: number): void {
    this.#inserted.total += count;
  }

  /** Tells the caller how many files have been stored, of those that were declared. */
  noteStored(count: number): void {
    this.#inserted.done += count;
    this.ctx.noteStep?.({ ...this.#inserted, what: 'Stored files' });
  }

  /** Puts the bytes of a file into storage. Without a row that refers to them they are garbage collected. */
  async storeFile(source: FileSource, path: ChangePath): Promise<DescribedBlob> {
    this.#files++;
    if (this.#files > MAX_FILES)
      throw badInput(
        ['changes'],
        `contain more than ${MAX_FILES} files. Split them into several requests.`,
        'TOO_MANY',
      );
    const remaining = Math.floor(this.#fetchingEnds - performance.now());
    if (source.url != null) this.ctx.deadline?.setTimeLimit(FETCHING_MS + REST_MS);
    if (source.url != null && remaining < 1) {
      throw badInput(
        [...path, 'url'],
        `Downloading the previous files took ${FETCHING_MS / 1000} s. Split them into several requests.`,
      );
    }
    const timeoutMs = Math.min(Math.max(remaining, 1), this.ctx.services.config.fetchTimeoutMs);
    return storeFile(this.ctx, this.organizationId, source, { path, timeoutMs });
  }
}
