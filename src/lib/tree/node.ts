import { hashOf, type JsonObject } from '../canonical.ts';

export type PageKind = 'document' | 'group' | 'link' | 'computed';

interface CommonFields {
  title: string;
  linkTitle?: string;
  emoji?: string;
  icon?: string;
  /** An expression that decides who sees the page. */
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
  /** Where the body is computed from; such a page is one of a computed page's results. */
  computed?: JsonObject;
  computedSeed?: string;
}

export type GroupFields = SluggedFields;

export interface LinkFields extends CommonFields {
  /** A content reference. */
  target: JsonObject;
}

export interface ComputedFields extends SluggedFields {
  /** Where the pages that stand in its place are computed from. */
  computed: JsonObject;
}

export interface FieldsByKind {
  document: DocumentFields;
  group: GroupFields;
  link: LinkFields;
  computed: ComputedFields;
}

/** A page without its place: what an edit of the page itself changes. */
export type PageContent = {
  [Kind in PageKind]: {
    kind: Kind;
    pageId: string;
    fields: FieldsByKind[Kind];
    /** The body of a document page; absent when it is empty, and on other kinds. */
    documentHash?: string;
  };
}[PageKind];

/** Hashes of the children, in their order. */
interface Parent {
  children: string[];
}

export type PageNode = PageContent & Parent;
export type RootNode = { kind: 'root' } & Parent;
export type TreeNode = PageNode | RootNode;

/** What is known of a node beside its content, outside the hash. Times are text, as the database shows them. */
export interface NodeTimes {
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export type StoredPage = PageNode & NodeTimes;
export type StoredNode = TreeNode & NodeTimes;
export type NewNode = StoredNode & { hash: string };

/** SHA-256 of all that a node is, its children included; equal pages have equal hashes, whoever made them and when. */
export function nodeHash(node: TreeNode): string {
  if (node.kind === 'root') return hashOf({ kind: node.kind, children: node.children });
  const { kind, pageId, fields, documentHash, children } = node;
  return hashOf({ kind, pageId, fields, documentHash, children });
}

/** The slug of a page; null for links, which have no page of their own. */
export const slugOf = (page: PageContent): string | null => (page.kind === 'link' ? null : page.fields.slug);
