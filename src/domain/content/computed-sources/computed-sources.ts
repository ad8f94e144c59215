import type { JSONDocument } from '../../../lib/document/document.ts';
import { emptyDocument } from '../../../lib/document/empty.ts';
import type { StoredSource } from '../../../lib/tree/node.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { EventKind } from '../../../platform/events/kinds.ts';

/** A page that a source computes. */
export interface ComputedPage {
  /** Identifies the page among those of its source, and stays the same in all states of the source. */
  key: string;
  title: string;
  slug: string;
  description?: string;
  icon?: string;
  /** Source of the body. */
  source: StoredSource;
  pages: ComputedPage[];
}

/** The pages that a source computes in its current state. */
export interface Computed {
  /**
   * Identifies the state, and which of its pages the caller sees if callers see different ones. Callers with the same
   * seed share the result.
   */
  seed: string;
  /** Time of the state. */
  updatedAt: string;
  /** Source of the body of the computed page itself. */
  source: StoredSource;
  description?: string;
  pages: ComputedPage[];
}

/** A part of a body, as it is searched. */
export interface SourceSection {
  /** Anchor where the part begins on the page. Null for the beginning. */
  anchor: string | null;
  title: string | null;
  body: string;
}

/** How the pages of a kind of source are searched. */
export interface SourceSearch {
  /** Identifies the state of a source. Undefined if it has no pages. Batched. */
  seed(ctx: Context, organizationId: string, source: StoredSource): Promise<string | undefined>;
  /** Content of the body of a page of a source. */
  sections(ctx: Context, organizationId: string, source: StoredSource): Promise<SourceSection[]>;
}

/** A kind of source that pages are computed from. Higher modules provide them (`registerComputedSource`). */
export interface ComputedSourceKind {
  /** Value of `type`. */
  type: string;
  /**
   * Computes the pages of a source of an organization. Undefined if the source does not exist or has no content. Does
   * not check access: anyone who can read a page can read what is computed for it. Batched.
   */
  pages(ctx: Context, organizationId: string, source: StoredSource): Promise<Computed | undefined>;
  /** Computes the body of a page of the source. Undefined if it does not exist. */
  document(ctx: Context, organizationId: string, source: StoredSource): Promise<JSONDocument | undefined>;
  /** Events of the organization after which the pages of a source can be others. */
  changesWith: readonly EventKind[];
  /** ID of the space whose content the pages show: only events of this space concern them. Absent if they show none. */
  spaceIdOf?(ctx: Context, organizationId: string, source: StoredSource): Promise<string | undefined>;
  /** Absent if the pages are stored, so that the index has them. */
  search?: SourceSearch;
}

const kinds = new Map<string, ComputedSourceKind>();

/** Adds a kind of source. */
export const registerComputedSource = (kind: ComputedSourceKind): void => void kinds.set(kind.type, kind);

/** The kind of a stored source. Undefined if none is registered for its type. */
export const kindOfSource = ({ type }: StoredSource): ComputedSourceKind | undefined => kinds.get(type);

/** Identifies the state of a source. Undefined if it cannot be computed. Batched for kinds that are searched. */
export async function seedOfSource(
  ctx: Context,
  organizationId: string,
  source: StoredSource,
): Promise<string | undefined> {
  const kind = kindOfSource(source);
  return kind?.search
    ? kind.search.seed(ctx, organizationId, source)
    : (await kind?.pages(ctx, organizationId, source))?.seed;
}

/** The body that a source computes. An empty document if it cannot be computed. Does not check access. */
export async function computeDocument(
  ctx: Context,
  organizationId: string,
  source: StoredSource,
): Promise<JSONDocument> {
  return (await kindOfSource(source)?.document(ctx, organizationId, source)) ?? emptyDocument();
}
