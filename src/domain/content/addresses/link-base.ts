import type { RevisionRow } from '../../store/revisions/index.ts';

/** What the links of a text are resolved against. */
export interface LinkBase {
  /** The revision whose pages and files the URLs lead to. */
  revision: RevisionRow;
  /** The page that relative URLs start from, by id or path. Default: the top level of the space. */
  page?: { id: string } | { path: string };
  /** Ids of pages that the same call creates, by their future paths. */
  newPages?: ReadonlyMap<string, string>;
  /** Ids of files that the text referred to before. They take precedence among files with the same bytes. */
  filesBefore?(): Promise<ReadonlySet<string>>;
  /** Names of OpenAPI specifications that the text referred to before. */
  specsBefore?(): Promise<ReadonlySet<string>>;
}
