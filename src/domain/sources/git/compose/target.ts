import type { ContentRef } from '../../../../lib/document/content-ref.ts';
import type { SpaceTag } from '../../../../lib/repository/tags.ts';
import type { PageKind } from '../../../../lib/tree/node.ts';
import type { BodyRange } from './content-file.ts';

/** A page that the repository should have. Parents come before their children, siblings in order. */
export interface TargetPage {
  pageId: string;
  parentId: string | null;
  kind: PageKind;
  title: string;
  linkTitle: string | undefined;
  slug: string | null;
  /** The slugs down to the page; null for links. */
  path: string | null;
  /** All fields of the page. */
  fields: Readonly<Record<string, unknown>>;
  /** Target of a link page. */
  target: ContentRef | undefined;
  body: BodyRange | undefined;
  /** Whether the branch already has exactly this page, unless the paths of others have changed. */
  isSame: boolean;
  /** Whether slug, parent and kind (with or without children) are those that the branch has. */
  isInPlace: boolean;
  hasSameParent: boolean;
  /** Content of the file in the branch. */
  former?: { body: BodyRange | undefined; cover: unknown };
}

export interface TargetFile {
  id: string;
  name: string;
  /** SHA-256 of the bytes in hexadecimal. */
  blob: string;
}

export interface TargetContent {
  id: string;
  title: string;
  body: BodyRange | undefined;
  isSame: boolean;
  former?: { body: BodyRange | undefined };
}

/** The content that a branch should have. */
export interface BranchContent {
  pages: TargetPage[];
  files: TargetFile[];
  /** Ids of files of the space that cannot be exported. Links to them are stable URLs. */
  leftOut: string[];
  contents: TargetContent[];
  /** Titles of computed reusable contents, which are not exported. */
  computedContents: string[];
  variables: Record<string, string | number | boolean>;
  /** Tags that pages can have, in order. */
  tags: SpaceTag[];
  /** Variables and tags that the branch had. Undefined if it was never synchronized. */
  former?: Pick<BranchContent, 'variables' | 'tags'>;
}
