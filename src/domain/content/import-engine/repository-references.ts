import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { decodeEntities } from '../../../lib/document/markdown/entities.ts';
import { relativeLink } from '../../../lib/document/relative-link.ts';
import type { BoundedReport } from '../../../lib/repository/bounded-report.ts';
import { externalUrl } from '../../../lib/repository/external-files.ts';
import { isExternal, locateFile, type RepositoryLinkTarget, resolveLink } from '../../../lib/repository/links.ts';
import type { RepositoryPlan } from '../../../lib/repository/plan.ts';
import type { PlannedPage } from '../../../lib/repository/planned-page.ts';
import { info, keptAsWritten, quote } from '../../../lib/repository/report.ts';
import { isMarkdown } from '../../../lib/repository/repository-path.ts';
import { newId } from '../../../platform/ids/ids.ts';
import type { SourceLink } from '../../store/prepared-bodies/index.ts';
import type { FormerPath } from '../../store/trees/index.ts';
import type { FileLocation, KnownIds, RepositorySource } from './sources/source.ts';

const MAX_CONTENTS = 2_000;

/** A file that pages use, with its path in the source and the id it will have. */
export interface UsedFile {
  path: string;
  place: FileLocation;
  fileId: string;
}

/**
 * The ids that pages, files and reusable contents of a source have or will have, and the references of links to them.
 * Files and contents get an id when the first link to them is resolved. Links that cannot be resolved are reported.
 */
export class RepositoryReferences {
  readonly #plan: RepositoryPlan;
  readonly #report: BoundedReport;
  readonly #places: ReadonlyMap<string, FileLocation>;
  readonly #ids: KnownIds | undefined;
  readonly #external: RepositorySource['external'];
  /** Paths of pages by their files. */
  readonly #paths: ReadonlyMap<string, string>;
  readonly #pageIds = new Map<string, string>();
  readonly #fileIds = new Map<string, string>();
  readonly #contentIds = new Map<string, string>();
  /** Known ids of pages are given once. */
  readonly #assignedIds = new Set<string>();

  constructor(plan: RepositoryPlan, { files, ids, external }: RepositorySource, report: BoundedReport) {
    this.#plan = plan;
    this.#report = report;
    this.#ids = ids;
    this.#external = external;
    this.#paths = new Map([...(plan.known.pagePaths ?? [])].map(([path, file]) => [file, path]));
    this.#places = new Map(files.map(({ path, place }) => [path, place]));
    for (const path of this.#places.keys()) {
      const [file, content] = [ids?.files.get(path), ids?.contents.get(path)];
      if (file !== undefined) this.#fileIds.set(path, file);
      if (content !== undefined) this.#contentIds.set(path, content);
    }
    // Ids of pages come first, since links can point forwards. The first mention of a file is its page.
    const visit = (page: PlannedPage) => {
      if (page.file !== null && !this.#pageIds.has(page.file)) this.#pageIds.set(page.file, this.#idOf(page.file));
      page.children.forEach(visit);
    };
    plan.pages.forEach(visit);
  }

  /** The id of a page by its file or, without one, by its key. */
  pageId(file: string | null, key: string): string {
    return (file === null ? undefined : this.#pageIds.get(file)) ?? this.#idOf(key);
  }

  fileId(path: string): string {
    const id = this.#fileIds.get(path) ?? newId('file');
    this.#fileIds.set(path, id);
    return id;
  }

  /** Whether the source has a file. */
  hasFile(path: string): boolean {
    return this.#places.has(path);
  }

  isUsed(path: string): boolean {
    return this.#fileIds.has(path);
  }

  usedFiles(): UsedFile[] {
    return [...this.#fileIds].flatMap(([path, fileId]) => {
      const place = this.#places.get(path);
      return place ? [{ path, place, fileId }] : [];
    });
  }

  /** Paths and ids of the included files. Grows while it is iterated, if their texts include further ones. */
  includedFiles(): Iterable<[path: string, id: string]> {
    return this.#contentIds;
  }

  /** The redirects of `.gitbook.yaml` to pages. */
  redirects(): FormerPath[] {
    return this.#plan.redirects.flatMap(({ from, file }) => {
      const pageId = this.#pageIds.get(file);
      return pageId === undefined ? [] : [{ path: from, pageId }];
    });
  }

  /**
   * The reference of a URL in the page at a path, and the link that the source of its body keeps. Neither for URLs that
   * are kept as written.
   */
  linkOf(file: string, url: string, path: string): { ref: ContentRef | undefined; link?: SourceLink } {
    const target = resolveLink(file, url, this.#plan.known);
    const ref = this.refOf(target, file, url);
    const isWritten = ref?.kind === 'url' && ref.url === url;
    return ref && !isWritten ? { ref, link: { ref, ...this.#addressOf(target, path) } } : { ref };
  }

  /** The reference of a link; undefined to keep it as written. */
  refOf(target: RepositoryLinkTarget, file: string, url: string): ContentRef | undefined {
    if (target.kind === 'broken') {
      const address = this.#external && externalUrl(this.#external, file, url);
      if (address !== undefined) return { kind: 'url', url: address };
      this.#report.push(keptAsWritten(file, `The link ${quote(url)} was kept as written: ${target.reason}.`));
      return undefined;
    }
    if (target.kind === 'url') return target.url.startsWith('#') ? undefined : { kind: 'url', url: target.url };
    if (target.note) this.#report.push(info(file, `The link ${quote(url)}: ${target.note}.`));
    if (target.kind === 'file') return { kind: 'file', file: this.fileId(target.path) };
    const page = this.#pageIds.get(target.file);
    if (page === undefined) return undefined;
    return target.anchor === undefined ? { kind: 'page', page } : { kind: 'anchor', page, anchor: target.anchor };
  }

  /** The reusable content of an included file; undefined for addresses of other services and missing files. */
  contentOf(from: string, url: string): ContentRef | undefined {
    const located = isExternal(url) ? undefined : locateFile(from, url, this.#plan.known);
    if (typeof located !== 'object' || !isMarkdown(located.file)) {
      if (typeof located === 'string')
        this.#report.push(keptAsWritten(from, `${quote(url)} cannot be included: ${located}.`));
      return undefined;
    }
    const existingId = this.#contentIds.get(located.file);
    if (existingId === undefined && this.#contentIds.size >= MAX_CONTENTS) {
      this.#report.push(
        keptAsWritten(from, `${quote(url)} was not included: the limit is ${MAX_CONTENTS} reusable contents.`),
      );
      return undefined;
    }
    const id = existingId ?? newId('reusable');
    this.#contentIds.set(located.file, id);
    return { kind: 'reusable-content', reusableContent: id };
  }

  /** Counts the files as used that HTML without a counterpart in documents refers to. */
  useAttributes(body: string, file: string): void {
    for (const [, url = ''] of body.matchAll(URL_ATTRIBUTE)) {
      const target = isExternal(url) ? undefined : resolveLink(file, decodeEntities(url), this.#plan.known);
      if (target?.kind === 'file') this.fileId(target.path);
    }
  }

  #idOf(key: string): string {
    const id = this.#ids?.pages.get(key);
    if (id === undefined || this.#assignedIds.has(id)) return newId('page');
    this.#assignedIds.add(id);
    return id;
  }

  /** The relative URL that is printed for a page. */
  #addressOf(target: RepositoryLinkTarget, path: string): Pick<SourceLink, 'address'> {
    const to = target.kind === 'page' ? this.#paths.get(target.file) : undefined;
    return to === undefined || target.kind !== 'page' ? {} : { address: relativeLink(path, to, target.anchor) };
  }
}

const URL_ATTRIBUTE = /\b(?:src|href|poster|data) {0,9}= {0,9}["']([^"'<>\s]{1,1000})["']/gi;
