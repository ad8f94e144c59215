import type { JSONDocument } from '../../../lib/document/document.ts';
import { type PrintedDocument, printDocument } from '../../../lib/document-html/document-html.ts';
import type { WebSource } from '../../../lib/document-html/printing.ts';

/** A document to print, with what it refers to. */
export interface ToPrint {
  document: JSONDocument;
  source: WebSource;
  /** Without colors of code. */
  isPlain?: boolean;
}

/** Runs in a worker. The input is passed as JSON, which is copied faster than objects. */
export function work(json: string): Promise<PrintedDocument> {
  const { document, source, isPlain } = JSON.parse(json) as ToPrint; // written by `printBodyHtml`
  return printDocument(document, source, { isPlain });
}
