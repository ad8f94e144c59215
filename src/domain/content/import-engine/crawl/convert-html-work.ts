import { type ConvertedPage, convertHtml } from '../../../../lib/html/convert-html.ts';
import { decodeHtml } from '../../../../lib/html/decode.ts';
import { HtmlError } from '../../../../lib/html/parse-html.ts';

export interface HtmlQuestion {
  bytes: Uint8Array;
  contentType: string;
  address: string;
}

export type HtmlResult = { page: ConvertedPage } | { refused: string };

/** Runs in a worker. Converts an HTML page to Markdown with its links, or returns the reason why it cannot. */
export function work({ bytes, contentType, address }: HtmlQuestion): HtmlResult {
  try {
    return { page: convertHtml(decodeHtml(bytes, contentType), { address }) };
  } catch (error) {
    if (error instanceof HtmlError) return { refused: error.message };
    if (error instanceof RangeError) return { refused: 'it is too complex' };
    throw error;
  }
}
