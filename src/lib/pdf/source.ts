import type { ContentRef } from '../document/content-ref.ts';
import type { JSONDocument } from '../document/document.ts';

/** What a PDF is made of: plain data, so that it can be handed to a thread. */
export interface PdfSource {
  title: string;
  /** Stands under the title on the cover: a change request, or a page. */
  subtitle?: string;
  /** As it is shown on the cover. */
  date: string;
  /** BCP 47. */
  language?: string;
  /** In reading order. */
  pages: PdfPage[];
  /** Images by the id of their file. */
  images: Record<string, PdfImage>;
  /** Where references lead, by `refKey`. Those that are not among it lead nowhere. */
  targets: Record<string, PdfTarget>;
}

export interface PdfPage {
  pageId: string;
  title: string;
  /** The page above it, when it is in the PDF as well. */
  parentId?: string;
  /** 0 at the top level. */
  depth: number;
  description?: string;
  /** Absent on groups, and on pages without a body. */
  body?: JSONDocument;
  /** Where a link page leads. */
  target?: ContentRef;
  /** What became of the page in a change request, as it is shown beside the title. */
  change?: 'added' | 'edited' | 'moved' | 'deleted';
}

export type PdfImage =
  | { kind: 'bitmap'; dataUrl: string; width: number; height: number }
  | { kind: 'vector'; svg: string; width: number; height: number };

/** What a reference is called, and where it leads outside of the PDF. Pages of the PDF itself need no address. */
export interface PdfTarget {
  label: string;
  url?: string;
}

/** The same for references to the same thing. Anchors are left out: they lead to their page. */
export function refKey(ref: ContentRef): string {
  switch (ref.kind) {
    case 'file':
      return `file:${ref.file}`;
    case 'page':
      return `page:${ref.page}`;
    case 'anchor':
      return ref.page === undefined ? 'self' : `page:${ref.page}`;
    case 'user':
      return `user:${ref.user}`;
    default:
      return ref.kind;
  }
}
