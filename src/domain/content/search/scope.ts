import { sql } from 'kysely';

/** The spaces to search: spaces of one organization that the caller can view. */
export interface SearchScope {
  organizationId: string;
  spaces: readonly SearchedSpace[];
}

export interface SearchedSpace {
  id: string;
  language: string | null;
  /** Whether pages with `noIndex` are found. True for callers with a role on the space. */
  findsAll: boolean;
  /** Ids of pages that are hidden from the caller. */
  hidden?: readonly string[];
}

/** A space whose title is searched as well. */
export interface TitledSpace extends SearchedSpace {
  title: string;
}

/** The spaces to search by their titles and pages. */
export interface TitledScope extends SearchScope {
  spaces: readonly TitledSpace[];
}

/** A page that matches a query. Better matches have higher scores. */
export interface Hit {
  spaceId: string;
  pageId: string;
  score: number;
}

/** The pages of a search that are hidden from the caller, as parameters for `unnest`. */
export const hiddenPagesOf = (spaces: readonly SearchedSpace[]) => {
  const pairs = spaces.flatMap(({ id, hidden = [] }) => hidden.map((pageId) => [id, pageId] as const));
  return pairs.length === 0 ? undefined : { spaceIds: pairs.map(([id]) => id), pageIds: pairs.map(([, id]) => id) };
};

/**
 * The condition that the body of a page or content `h` has no conditions. What is within them can be hidden from the
 * caller.
 */
export const isUnconditional = sql<boolean>`not exists (
  select from document d where d.organization_id = h.organization_id and d.hash = h.document_hash
    and position('"type":"if"' in d.body::text) > 0)`;
