import { markChanges } from '../../../lib/diff/mark-changes.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { IN_PAGES } from '../../../lib/document/markdown/forms.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { makeYielder } from '../../../lib/tick.ts';

/** Two versions of a body as JSON; null is an empty body. */
export interface VersionsAsText {
  before: string | null;
  after: string | null;
  form: 'document' | 'markdown';
}

/** Runs in a worker. Returns the later body with its changes marked, as Markdown or as JSON. */
export async function work({ before, after, form }: VersionsAsText): Promise<string> {
  const marked = await markChanges(bodyIn(before), bodyIn(after), makeYielder());
  return form === 'markdown' ? printMarkdown(marked, IN_PAGES) : JSON.stringify(marked);
}

const bodyIn = (text: string | null): JSONDocument | null => (text === null ? null : JSON.parse(text));
