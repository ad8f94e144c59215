import { parentPort } from 'node:worker_threads';
import { type ConvertedPage, convertHtml, HtmlError } from '../../../lib/html/convert-html.ts';
import { decodeHtml } from '../../../lib/html/decode.ts';

export interface HtmlQuestion {
  bytes: Uint8Array;
  contentType: string;
  address: string;
}

export type HtmlAnswer = { page: ConvertedPage } | { refused: string };

parentPort?.on('message', ({ bytes, contentType, address }: HtmlQuestion) => {
  parentPort?.postMessage(answer(bytes, contentType, address));
});

function answer(bytes: Uint8Array, contentType: string, address: string): HtmlAnswer {
  try {
    return { page: convertHtml(decodeHtml(bytes, contentType), { address }) };
  } catch (error) {
    if (error instanceof HtmlError) return { refused: error.message };
    if (error instanceof RangeError) return { refused: 'it is too complex' };
    throw error;
  }
}
