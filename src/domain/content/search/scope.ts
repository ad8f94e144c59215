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
}

/** A space whose title is searched as well. */
export interface TitledSpace extends SearchedSpace {
  title: string;
}

/** A page that matches a query. Better matches have higher scores. */
export interface Hit {
  spaceId: string;
  pageId: string;
  score: number;
}
