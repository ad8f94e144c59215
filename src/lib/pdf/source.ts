import type { ContentRef } from '../document/content-ref.ts';
import type { JSONDocument } from '../document/document.ts';

/** The content of a PDF as plain data, which can be posted to a worker. */
export interface PdfSource {
  title: string;
  /** Subtitle on the cover: a change request or a page. */
  subtitle?: string;
  /** Date as shown on the cover. */
  date: string;
  /** BCP 47. */
  language?: string;
  /** In reading order. */
  pages: PdfPage[];
  /** Numbers of images that are left out. */
  leftOut: LeftOut;
  /** Images by file id. */
  images: Record<string, PdfImage>;
  /** Targets of references by `refKey`. Other references have no target. */
  targets: Record<string, PdfTarget>;
}

/** Numbers of images that a PDF has a link instead of, by the reason. */
export interface LeftOut {
  /** In a format that PDFs do not contain, such as WebP. */
  format: number;
  /** Beyond the limits of sizes. */
  size: number;
  /** Damaged, or too complex. */
  unreadable: number;
  /** Too expensive to print within the limits of time and memory. */
  effort: number;
}

/** Everything but the pages, which are printed one after the other. */
export type PdfBook = Omit<PdfSource, 'pages'>;

export interface PdfPage {
  pageId: string;
  title: string;
  /** The parent page, if it is in the PDF as well. */
  parentId?: string;
  /** 0 at the top level. */
  depth: number;
  /** The emoji before the title, as its characters. */
  emoji?: string;
  /** The icon before the title, if there is no emoji. */
  icon?: string;
  description?: string;
  /** Absent for groups and for pages without a body. */
  body?: JSONDocument;
  /** Target of a link page. */
  target?: ContentRef;
  /** Status of the page in a change request, shown next to the title. */
  change?: 'added' | 'edited' | 'moved' | 'deleted';
}

export type PdfImage =
  | { kind: 'bitmap'; base64: string; width: number; height: number }
  | { kind: 'vector'; svg: string; width: number; height: number };

/** The title of a reference and its URL outside of the PDF. Pages of the PDF itself need no URL. */
export interface PdfTarget {
  label: string;
  emoji?: string;
  icon?: string;
  url?: string;
}

/** A key that is equal for references to the same target. Anchors are ignored: they lead to their page. */
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
