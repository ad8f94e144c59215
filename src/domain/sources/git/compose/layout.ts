import { posix } from 'node:path';
import type { ContentRef } from '../../../../lib/document/content-ref.ts';
import { stableUrl } from '../../../../lib/document/stable-url.ts';
import { type ExternalFiles, externalUrl } from '../../../../lib/repository/external-files.ts';
import { isExternal, locateFile, type RepositoryLinkTarget, resolveLink } from '../../../../lib/repository/links.ts';
import type { RepositoryPlan } from '../../../../lib/repository/plan.ts';
import { repositoryFiles } from '../../../../lib/repository/repository-files.ts';
import { baseName } from '../../../../lib/repository/repository-path.ts';
import { assignPaths } from '../../../../lib/repository/write/page-paths.ts';
import { TakenPaths, withoutReserved } from '../../../../lib/repository/write/taken-paths.ts';
import { slugify } from '../../../../lib/slug.ts';
import type { KnownIds } from '../../../content/import-engine/index.ts';
import type { BranchContent } from './target.ts';

/** Which files have which ids, and what URLs in them lead to. */
export class BranchLayout {
  readonly pages: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string>;
  readonly contents: ReadonlyMap<string, string>;
  readonly #ids = new Map<string, ContentRef>();
  readonly #repository: RepositoryPlan['known'];
  readonly #external: ExternalFiles | undefined;
  /** Whether an id belongs to a page or file that exists without a file in the branch. */
  readonly #hasOther: (id: string, kind: ContentRef['kind']) => boolean;

  /** Paths by id. */
  constructor(
    paths: {
      pages: ReadonlyMap<string, string>;
      files: ReadonlyMap<string, string>;
      contents: ReadonlyMap<string, string>;
    },
    repository: RepositoryPlan['known'],
    external: ExternalFiles | undefined,
    hasOther: (id: string, kind: ContentRef['kind']) => boolean = () => true,
  ) {
    this.#external = external;
    this.#hasOther = hasOther;
    this.pages = paths.pages;
    this.files = paths.files;
    this.contents = paths.contents;
    this.#repository = repository;
    for (const [page, path] of paths.pages) this.#ids.set(path, { kind: 'page', page });
    for (const [file, path] of paths.files) this.#ids.set(path, { kind: 'file', file });
    for (const [id, path] of paths.contents) this.#ids.set(path, { kind: 'reusable-content', reusableContent: id });
  }

  /** The reference that a URL in a file means, as imports read it. Undefined for other URLs. */
  refOf(from: string, url: string, kind?: string): ContentRef | undefined {
    if (kind === 'include') {
      const located = isExternal(url) ? undefined : locateFile(from, url, this.#repository);
      return typeof located === 'object' ? this.#ids.get(located.file) : undefined;
    }
    const target = resolveLink(from, url, this.#repository);
    const outside = target.kind === 'broken' && this.#external && externalUrl(this.#external, from, url);
    return outside ? { kind: 'url', url: outside } : this.refOfTarget(target);
  }

  refOfTarget(target: RepositoryLinkTarget): ContentRef | undefined {
    if (target.kind === 'broken') return undefined;
    if (target.kind === 'url') return target.url.startsWith('#') ? undefined : { kind: 'url', url: target.url };
    if (target.kind === 'file') return this.#ids.get(target.path);
    const ref = this.#ids.get(target.file);
    if (ref?.kind !== 'page' || target.anchor === undefined) return ref;
    return { kind: 'anchor', page: ref.page, anchor: target.anchor };
  }

  /**
   * The URL to write in a file for a reference; undefined for its stable URL. `currentUrl` stays if it still leads
   * there.
   */
  urlFor(from: string, ref: ContentRef, currentUrl?: string): string | undefined {
    if (currentUrl !== undefined) {
      const kinds = ref.kind === 'reusable-content' ? 'include' : undefined;
      const means = this.refOf(from, currentUrl, kinds);
      if (means && stableUrl(means) === stableUrl(ref)) return currentUrl;
    }
    const path = this.#pathOf(ref);
    if (path === undefined) return undefined;
    return (
      addressBetween(from, path) +
      (ref.kind === 'anchor' ? `#${ref.anchor.replace(/[%\s\p{Cc}]/gu, encodeURIComponent)}` : '')
    );
  }

  /** Whether the layout lacks the target of a reference to a page, file or reusable content of the space. */
  lacks(ref: ContentRef): boolean {
    const isOwn = !('space' in ref) || ref.space === undefined;
    const hasPlace = ref.kind === 'anchor' ? ref.page !== undefined : IN_FILES.has(ref.kind);
    return isOwn && hasPlace && this.#pathOf(ref) === undefined;
  }

  /** Text of a link to a deleted page or file. Undefined for everything else. */
  addressOfGone(ref: ContentRef): string | undefined {
    if (!this.lacks(ref)) return undefined;
    const id = ref.kind === 'file' ? ref.file : ref.kind === 'page' || ref.kind === 'anchor' ? ref.page : undefined;
    return id === undefined || this.#hasOther(id, ref.kind) ? undefined : BROKEN;
  }

  #pathOf(ref: ContentRef): string | undefined {
    if ('space' in ref && ref.space !== undefined) return undefined;
    if (ref.kind === 'page') return this.pages.get(ref.page);
    if (ref.kind === 'anchor') return ref.page === undefined ? undefined : this.pages.get(ref.page);
    if (ref.kind === 'file') return this.files.get(ref.file);
    return ref.kind === 'reusable-content' ? this.contents.get(ref.reusableContent) : undefined;
  }
}

/** GitBook's text for links whose target was deleted. */
const BROKEN = 'broken-reference';

/** Kinds of references whose targets are files. */
const IN_FILES: ReadonlySet<string> = new Set(['page', 'file', 'reusable-content']);

/** A relative URL from one file to another. Reserved characters are percent-encoded (RFC 3986, 2.1). */
export function addressBetween(from: string, to: string): string {
  const path = posix.relative(posix.dirname(`/${from}`), `/${to}`).replace(/[%?#\s\p{Cc}]/gu, encodeURIComponent);
  return /^[^/]*:/.test(path) ? `./${path}` : path;
}

/** The layout of the files of a plan. */
export const writtenLayout = (
  plan: RepositoryPlan,
  ids: KnownIds,
  pages: ReadonlyMap<string, string>,
  external?: ExternalFiles,
): BranchLayout =>
  new BranchLayout(
    { pages, files: inverse(ids.files, plan), contents: inverse(ids.contents, plan) },
    plan.known,
    external,
  );

const inverse = (ids: ReadonlyMap<string, string>, plan: RepositoryPlan) =>
  new Map([...ids].filter(([path]) => plan.known.files.has(path)).map(([path, id]) => [id, path]));

/** The layout of the target: everything stays at its path while it can. Paths of `skipped` entries are not used. */
export function targetLayout(
  plan: RepositoryPlan,
  oldLayout: BranchLayout,
  target: BranchContent,
  noFile: ReadonlySet<string>,
  { external, skipped = [] }: { external?: ExternalFiles | undefined; skipped?: readonly string[] } = {},
): BranchLayout {
  const { configuration } = plan;
  const occupied = new Set(plan.known.files);
  // On systems that ignore case, a page "Summary" and the table of contents would be one file.
  const reserved = [...skipped, configuration.summary];
  for (const path of oldLayout.pages.values()) occupied.delete(path);
  const [fileIds, contentIds] = [target.files, target.contents].map((all) => new Set(all.map(({ id }) => id)));
  for (const [id, path] of oldLayout.files) if (fileIds?.has(id) !== true) occupied.delete(path);
  for (const [id, path] of oldLayout.contents) if (contentIds?.has(id) !== true) occupied.delete(path);
  const pages = assignPaths(
    target.pages.map((page) => ({
      ...page,
      hasFile: page.kind === 'document' && !noFile.has(page.pageId),
      path: oldLayout.pages.get(page.pageId),
    })),
    { root: configuration.root, readme: configuration.readme, taken: [...occupied, ...reserved] },
  );
  for (const path of pages.values()) occupied.add(path);
  const used = new TakenPaths([...occupied, ...reserved]);
  const inRoot = (folder: string) => (configuration.root === '' ? folder : `${configuration.root}/${folder}`);
  const assets = inRoot(used.isBlocked(inRoot('.gitbook/assets')) ? 'assets' : '.gitbook/assets');
  const files = new Map(
    target.files.map(({ id, name }) => [
      id,
      oldLayout.files.get(id) ?? used.take(`${assets}/${safeName(name)}`, extensionOf(safeName(name))),
    ]),
  );
  const contents = new Map(
    target.contents.map(({ id, title }) => [
      id,
      oldLayout.contents.get(id) ?? used.take(`${inRoot('.gitbook/includes')}/${slugify(title)}.md`, '.md'),
    ]),
  );
  const all = new Set([...occupied, ...files.values(), ...contents.values()]);
  const after = repositoryFiles(all, configuration);
  const pagePaths = target.pages.flatMap(({ pageId, path }) => {
    const file = pages.get(pageId);
    return path !== null && file !== undefined ? [[path, file] as const] : [];
  });
  const list = { ...after, pages: new Set(pages.values()), pagePaths: new Map(pagePaths) };
  const others = new Set([...target.pages.map(({ pageId }) => pageId), ...target.leftOut]);
  // Pages that a computed page has made are no part of the target.
  const isComputed = target.pages.some(({ kind }) => kind === 'computed');
  const hasOther = (id: string, kind: ContentRef['kind']) => others.has(id) || (kind !== 'file' && isComputed);
  return new BranchLayout({ pages, files, contents }, list, external, hasOther);
}

const safeName = (name: string) => withoutReserved(baseName(name)).replace(/^\.+/, '') || 'file';

const extensionOf = (name: string) => (name.lastIndexOf('.') > 0 ? name.slice(name.lastIndexOf('.')) : '');
