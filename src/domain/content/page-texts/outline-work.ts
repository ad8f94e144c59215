import { outlineText } from '../../../lib/document/markdown/edit/outline-text.ts';

/** Runs in a worker. The input of `outlineText` is passed as JSON, which is copied faster than objects. */
export function work(json: string): ReturnType<typeof outlineText> {
  const { text, document } = JSON.parse(json);
  return outlineText(text, document);
}
