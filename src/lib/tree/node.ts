import { hashOf, type JsonObject } from '../canonical.ts';

export type PageKind = 'document' | 'group' | 'link' | 'computed';

/**
 * What a page or reusable content is computed from: the kind of source, its options, and references to content that it
 * depends on.
 */
export interface StoredSource {
  type: string;
  props: Record<string, unknown>;
  dependencies?: Record<string, unknown> | undefined;
}

interface CommonFields {
  title: string;
  linkTitle?: string;
  emoji?: string;
  icon?: string;
  /** An expression that decides who can see the page. */
  condition?: string;
  hidden?: boolean;
}

interface SluggedFields extends CommonFields {
  slug: string;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
}

export interface DocumentFields extends SluggedFields {
  description?: string;
  layout?: JsonObject;
  cover?: JsonObject;
  variables?: { [name: string]: string | number | boolean };
  metaLinks?: JsonObject;
  tags?: JsonObject[];
  /** Source of the computed body, for pages that are results of a computed page. */
  computed?: StoredSource;
  computedSeed?: string;
}

export type GroupFields = SluggedFields;

export interface LinkFields extends CommonFields {
  /** A content reference. */
  target: JsonObject;
}

export interface ComputedFields extends SluggedFields {
  /** Source of the computed pages. */
  computed: StoredSource;
}

export interface FieldsByKind {
  document: DocumentFields;
  group: GroupFields;
  link: LinkFields;
  computed: ComputedFields;
}

/** A page without its place: everything that an edit of the page itself changes. */
export type PageContent = {
  [Kind in PageKind]: {
    kind: Kind;
    pageId: string;
    fields: FieldsByKind[Kind];
    /** The body of a document page; absent if it is empty, and for other kinds. */
    documentHash?: string;
    /** The Markdown that the body was written as; absent if it was not, or is what is printed anyway. */
    sourceHash?: string;
  };
}[PageKind];

/** Hashes of the children, in order. */
interface Parent {
  children: string[];
}

export type PageTreeNode = PageContent & Parent;
export type RootNode = { kind: 'root' } & Parent;
export type TreeNode = PageTreeNode | RootNode;

/** Metadata of a node that is not part of its hash. Times are text in the format of the database. */
export interface NodeTimes {
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export type StoredPage = PageTreeNode & NodeTimes;
export type StoredNode = TreeNode & NodeTimes;
export type NewNode = StoredNode & { hash: string };

/** SHA-256 of the whole node including its children. Equal pages have equal hashes, regardless of author and time. */
export function nodeHash(node: TreeNode): string {
  if (node.kind === 'root') return hashOf({ kind: node.kind, children: node.children });
  const { kind, pageId, fields, documentHash, sourceHash, children } = node;
  return hashOf({ kind, pageId, fields, documentHash, sourceHash, children });
}

/** The slug of a page; null for links. */
export const slugOf = (page: PageContent): string | null => (page.kind === 'link' ? null : page.fields.slug);
