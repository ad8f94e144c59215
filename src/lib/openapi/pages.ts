import { sha256 } from '../canonical.ts';
import { slugify } from '../slug.ts';
import type { Outline, OutlineOperation, OutlineTag } from './outline.ts';

/** Options of a computed page: the properties of its source. */
export interface PageOptions {
  /** Adds a page with all schemas. */
  models: boolean;
  /** Adds a page with the changes of the latest versions. */
  changelog: boolean;
  /** Adds a link to the specification to the first page. */
  downloadLink: boolean;
  /** One page for each tag, or one for each operation below the page of its tag. */
  grouping: 'by-tag' | 'by-operation';
}

/** Content of the body of a page, with the names of the GitBook API. */
export type PageSubject =
  | { doc: 'models' | 'changelog' }
  | { doc: 'info' | 'operations' | 'tag'; page: string }
  | { doc: 'operation'; page: string; method: string; deprecated?: true };

/** A page that is made of a specification. */
export interface OutlinePage {
  /** Stable over versions: the name of a tag, the id of an operation, or else its method and path. */
  key: string;
  title: string;
  /** Unique among siblings, and stable like the key. */
  slug: string;
  description?: string;
  icon?: string;
  subject: PageSubject;
  pages: OutlinePage[];
}

/** Operations without a tag are on a page with this name, which no tag can have. */
const UNTAGGED = '';

/** The value of `page` of the page with the description of the API. */
export const INFO = '/';

/** What a body shows: one page, or all pages for properties that name none. */
export type BodySubject =
  | { doc: 'all'; options: PageOptions }
  | { doc: 'models' | 'changelog' }
  | { doc: 'info'; page: typeof INFO; downloadLink: boolean }
  | { doc: 'operations' | 'tag'; page: string }
  | { doc: 'operation'; page: string; method: string };

/** Options as they were given. Unknown values count as absent. */
export const pageOptions = (props: Record<string, unknown>): PageOptions => ({
  models: props.models === true,
  changelog: props.changelog === true,
  downloadLink: props.downloadLink === true,
  grouping: props.grouping === 'by-operation' ? 'by-operation' : 'by-tag',
});

/**
 * Reads the properties of a source. The result has only what the body depends on, so that it can be the key of a cache.
 * Undefined for properties that name something unknown.
 */
export function bodySubject(props: Record<string, unknown>): BodySubject | undefined {
  const { doc, page, method } = props;
  if (doc === undefined && page === undefined) return { doc: 'all', options: pageOptions(props) };
  if (doc === 'models' || doc === 'changelog') return { doc };
  if (typeof page !== 'string') return undefined;
  if (doc === 'operation') return typeof method === 'string' ? { doc, page, method } : undefined;
  if (doc === 'info' && page === INFO) return { doc, page, downloadLink: props.downloadLink === true };
  if (doc === 'info' || doc === 'tag') return { doc: 'tag', page };
  return doc === 'operations' ? { doc, page } : undefined;
}

/**
 * The pages of a specification: one for each tag in the order of `tags`, nested by `parent`, followed by tags that only
 * operations name, operations without a tag, schemas, and changes. An operation with several tags has its page below
 * the first.
 */
export function pagesOf(outline: Outline, options: PageOptions): OutlinePage[] {
  const tags = allTags(outline);
  const byTag = Map.groupBy(outline.operations, ({ tags: [first = UNTAGGED] }) => first);
  const usedTags = new Set(outline.operations.flatMap((operation) => operation.tags));
  const parents = parentsOf(tags);
  const below = Map.groupBy(tags, ({ name }) => parents.get(name) ?? UNTAGGED);
  const keys = new Set<string>();
  const pageOf = (tag: OutlineTag): OutlinePage[] => {
    const nested = (below.get(tag.name) ?? []).flatMap(pageOf);
    const own = options.grouping === 'by-tag' ? [] : operationPages(byTag.get(tag.name) ?? [], keys);
    const isEmpty = nested.length === 0 && !usedTags.has(tag.name) && tag.description === undefined;
    return isEmpty ? [] : [tagPage(tag, usedTags.has(tag.name), options, [...own, ...nested])];
  };
  const pages = (below.get(UNTAGGED) ?? []).flatMap(pageOf);
  const untagged = byTag.get(UNTAGGED) ?? [];
  if (untagged.length > 0) {
    const title = pages.length === 0 ? 'Operations' : 'Other operations';
    const own = options.grouping === 'by-tag' ? [] : operationPages(untagged, keys);
    pages.push(tagPage({ name: UNTAGGED, title }, true, options, own));
  }
  if (options.models && outline.schemas.length > 0) {
    pages.push({ key: 'models', title: 'Models', slug: 'models', subject: { doc: 'models' }, pages: [] });
  }
  if (options.changelog) {
    pages.push({ key: 'changelog', title: 'Changelog', slug: 'changelog', subject: { doc: 'changelog' }, pages: [] });
  }
  return withUniqueSlugs(pages);
}

/** The pages of a tree in reading order, with their levels from 1. */
export function* inOrder(pages: readonly OutlinePage[], level = 1): Generator<{ page: OutlinePage; level: number }> {
  for (const page of pages) {
    yield { page, level };
    yield* inOrder(page.pages, level + 1);
  }
}

/**
 * Keys of the pages that a specification has with all options. The first word of a key says what it depends on:
 * `operation` on grouping, `models` and `changelog` on the option of that name, `tag` on none.
 */
export function pageKeysOf(outline: Outline): string[] {
  const options: PageOptions = { models: true, changelog: true, downloadLink: false, grouping: 'by-operation' };
  const keysOf = (pages: readonly OutlinePage[]): string[] =>
    pages.flatMap(({ key, pages: below }) => [key, ...keysOf(below)]);
  return keysOf(pagesOf(outline, options));
}

/** Maximum number of tags above a tag. Each is part of the path of all pages below. */
const MAX_ANCESTORS = 8;

/**
 * The parent of each tag that has one. Tags with more ancestors have none, nor has the first tag that leads into a
 * cycle.
 */
function parentsOf(tags: readonly OutlineTag[]): Map<string, string> {
  const names = new Set(tags.map(({ name }) => name));
  const parents = new Map<string, string>();
  for (const { name, parent } of tags) if (parent !== undefined && names.has(parent)) parents.set(name, parent);
  for (const { name } of tags) {
    let above = 0;
    for (let at = parents.get(name); at !== undefined && above <= MAX_ANCESTORS; at = parents.get(at)) above++;
    if (above > MAX_ANCESTORS) parents.delete(name);
  }
  return parents;
}

/** Declared tags, then those that only operations have, in their order. Hidden tags have no operations left. */
function allTags({ tags, operations }: Outline): OutlineTag[] {
  const byName = new Map<string, OutlineTag>();
  for (const tag of tags) if (!tag.isHidden && !byName.has(tag.name)) byName.set(tag.name, tag);
  for (const name of operations.flatMap((operation) => operation.tags)) {
    if (name !== UNTAGGED && !byName.has(name)) byName.set(name, { name });
  }
  return [...byName.values()];
}

function tagPage(
  tag: OutlineTag,
  hasOperations: boolean,
  { grouping }: PageOptions,
  pages: OutlinePage[],
): OutlinePage {
  const doc = grouping === 'by-operation' ? 'tag' : hasOperations ? 'operations' : 'info';
  return {
    key: `tag ${tag.name}`,
    title: tag.title ?? tag.name,
    slug: slugify(tag.name || (tag.title ?? '')),
    ...(tag.summary !== undefined && { description: tag.summary }),
    ...(tag.icon !== undefined && { icon: tag.icon }),
    subject: { doc, page: tag.name === UNTAGGED ? 'default' : tag.name },
    pages: withUniqueSlugs(pages),
  };
}

function operationPages(operations: readonly OutlineOperation[], keys: Set<string>): OutlinePage[] {
  return operations.flatMap((operation) => {
    const named = operation.operationId === undefined ? undefined : `operation ${operation.operationId}`;
    const key = named === undefined || keys.has(named) ? `operation ${operation.method} ${operation.path}` : named;
    if (keys.has(key)) return [];
    keys.add(key);
    const { kind, method, path, title, summary, icon, isDeprecated } = operation;
    return [
      {
        key,
        title: title ?? (kind === 'webhook' ? path : `${method.toUpperCase()} ${path}`.slice(0, 255)),
        slug: slugify(operation.operationId ?? `${method} ${path}`),
        ...(summary !== undefined && { description: summary }),
        ...(icon !== undefined && { icon }),
        subject: {
          doc: 'operation',
          page: path,
          method: kind === 'webhook' ? WEBHOOK : method,
          ...(isDeprecated && { deprecated: true }),
        },
        pages: [],
      },
    ];
  });
}

/** A suffix from the key, so that slugs do not depend on the order of the pages that share one. */
function withUniqueSlugs(pages: OutlinePage[]): OutlinePage[] {
  const counts = Map.groupBy(pages, ({ slug }) => slug);
  return pages.map((page) =>
    (counts.get(page.slug)?.length ?? 0) > 1
      ? { ...page, slug: `${page.slug.slice(0, 90)}-${sha256(page.key).slice(0, 8)}` }
      : page,
  );
}

/** Methods of a webhook are not part of the subject of its page. */
const WEBHOOK = 'hook';

/** Key of the block of an operation on its page, the same in all versions. */
export const operationKey = ({ operationId, method, path }: OutlineOperation) =>
  sha256(operationId ?? `${method} ${path}`).slice(0, 12);

/** The operations on the page of an operation, by the path and method of its subject. */
export const operationsAt = (outline: Outline, page: string, method: string): readonly OutlineOperation[] =>
  groupsOf(outline).byPlace.get(placeOf(page, method)) ?? [];

/** The operations on the page of a tag. Those without a tag are on the page `default`, unless a tag has this name. */
export function operationsOfTag(outline: Outline, page: string): readonly OutlineOperation[] {
  const { byTag } = groupsOf(outline);
  if (page === UNTAGGED) return [];
  return byTag.get(page) ?? (page === 'default' ? byTag.get(UNTAGGED) : undefined) ?? [];
}

/** Number of pages that show an operation: those of its tags, or those of its path and method. */
export const pagesWith = (outline: Outline, { kind, method, path, tags }: OutlineOperation): number =>
  Math.max(1, tags.length, operationsAt(outline, path, kind === 'webhook' ? WEBHOOK : method).length);

/** The declared tag with a name. */
export const tagNamed = (outline: Outline, name: string): OutlineTag | undefined => groupsOf(outline).tags.get(name);

/** Operations and declared tags by the names that pages have for them. */
interface Groups {
  byPlace: ReadonlyMap<string, OutlineOperation[]>;
  byTag: ReadonlyMap<string, OutlineOperation[]>;
  tags: ReadonlyMap<string, OutlineTag>;
}

/** Grouped once for all pages of an outline: to search it for each page would take the square of its size. */
const groups = new WeakMap<Outline, Groups>();

function groupsOf(outline: Outline): Groups {
  const known = groups.get(outline) ?? grouped(outline);
  groups.set(outline, known);
  return known;
}

function grouped({ operations, tags }: Outline): Groups {
  const byPlace = new Map<string, OutlineOperation[]>();
  const byTag = new Map<string, OutlineOperation[]>();
  for (const operation of operations) {
    const { kind, method, path } = operation;
    const methods = new Set(kind === 'webhook' ? [WEBHOOK, method] : [method]);
    for (const each of methods) addTo(byPlace, placeOf(path, each), operation);
    for (const tag of new Set(operation.tags.length === 0 ? [UNTAGGED] : operation.tags)) addTo(byTag, tag, operation);
  }
  // Of tags with the same name the first counts.
  return { byPlace, byTag, tags: new Map(tags.toReversed().map((tag) => [tag.name, tag])) };
}

const placeOf = (path: string, method: string) => JSON.stringify([path, method]);

function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
