import { hashOf } from '../../../lib/canonical.ts';
import type { ContentRef } from '../../../lib/document/content-ref.ts';

/** Target of a URL in a text when it was written. */
export interface SourceLink {
  ref: ContentRef;
  /** The relative URL that was printed for the target then. A link whose target has another one by now has moved. */
  address?: string;
}

/** The Markdown that a body was written as. */
export interface BodySource {
  /** Text before the body in its file: front matter, and a heading that is the title of the page. */
  head: string;
  body: string;
  /** Hash of the document that the body was read as, in hexadecimal. The page may have another one by now. */
  document: string;
  /** URLs that refer to content. */
  links: Readonly<Record<string, SourceLink>>;
}

/** A text that is ready to be stored, with its hash in hexadecimal. */
export interface PreparedSource extends BodySource {
  hash: string;
}

/** Prepares a text to be stored. Undefined for a text that the database cannot hold byte for byte. */
export function prepareSource({ head, body, document, links }: BodySource): PreparedSource | undefined {
  if (/\0/.test(head + body) || !(head + body).isWellFormed()) return undefined;
  return { head, body, document, links, hash: hashOf({ head, body, document, links }) };
}
