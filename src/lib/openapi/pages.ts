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
export const UNTAGGED = '';

/** Options as they were given. Unknown values count as absent. */
export const pageOptions = (props: Record<string, unknown>): PageOptions => ({
  models: props.models === true,
  changelog: props.changelog === true,
  downloadLink: props.downloadLink === true,
  grouping: props.grouping === 'by-operation' ? 'by-operation' : 'by-tag',
});

/**
 * The pages of a specification: one for each tag in the order of `tags`, nested by `parent`, followed by tags that only
 * operations name, operations without a tag, schemas, and changes. An operation with several tags has its page below the first.
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

/** The parent of each tag that has one. Tags with more ancestors have none, nor has the first tag that leads into a cycle. */
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

/** The operations on the page of an operation, by the path and method of its subject. */
export const operationsAt = ({ operations }: Outline, page: string, method: unknown): OutlineOperation[] =>
  operations.filter(
    (operation) =>
      operation.path === page && (method === WEBHOOK ? operation.kind === 'webhook' : operation.method === method),
  );

/** Key of the block of an operation on its page, the same in all versions. */
export const operationKey = ({ operationId, method, path }: OutlineOperation) =>
  sha256(operationId ?? `${method} ${path}`).slice(0, 12);

/** The operations on the page of a tag. */
export const operationsOfTag = ({ operations }: Outline, page: string): OutlineOperation[] =>
  page === 'default' && !operations.some(({ tags }) => tags.includes('default'))
    ? operations.filter(({ tags }) => tags.length === 0)
    : operations.filter(({ tags }) => tags.includes(page));
