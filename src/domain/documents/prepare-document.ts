import { sha256 } from '../../lib/canonical.ts';
import { alignKeys } from '../../lib/document/align-keys.ts';
import { hashOf } from '../../lib/document/canonical.ts';
import type { JSONDocument } from '../../lib/document/document.ts';
import { parseMarkdown } from '../../lib/document/markdown/parse.ts';
import { printMarkdown } from '../../lib/document/markdown/print.ts';
import { type ContentReference, referencesOf } from '../../lib/document/references.ts';
import { type Section, sectionsOf } from '../../lib/document/sections.ts';
import { validateDocument } from '../../lib/document/validate.ts';
import { Refusal } from '../../platform/errors.ts';
import type { DocumentInput } from './document-input.ts';

/** A body ready to be stored: everything that is derived from it, made once. */
export interface PreparedDocument {
  /** Hex SHA-256 of the canonical JSON. */
  hash: string;
  body: JSONDocument;
  markdown: string;
  sections: Section[];
  references: ContentReference[];
}

/**
 * Checks and derives a body that somebody wrote, as Markdown or as JSON. Written over a previous one, Markdown keeps
 * the keys of its blocks. `path` is where the body stands in the input, for the refusal.
 */
export function prepareDocument(
  input: DocumentInput,
  path: (string | number)[],
  previous?: JSONDocument,
): PreparedDocument {
  if (input.markdown != null) {
    const { document } = parseMarkdown(input.markdown, { nextKey: seededKeys(input.markdown) });
    return derive(previous ? alignKeys(previous, document) : document);
  }
  const checked = validateDocument(input.document);
  if ('issues' in checked) {
    const issues = checked.issues.map((issue) => ({
      path: [...path, 'document', ...issue.path],
      message: issue.message,
    }));
    const [first] = issues;
    throw new Refusal('BAD_USER_INPUT', `${first?.path.join('.')}: ${first?.message}`, issues);
  }
  return derive(checked.document);
}

/** Everything that is derived from a checked body. */
export const derive = (body: JSONDocument): PreparedDocument => ({
  hash: hashOf(body).toString('hex'),
  body,
  markdown: printMarkdown(body),
  sections: sectionsOf(body),
  references: referencesOf(body),
});

/** Keys that follow from the text, so that the same Markdown makes the same document. */
export function seededKeys(text: string): () => string {
  const seed = sha256(text);
  let count = 0;
  return () => sha256(`${seed}:${count++}`).slice(0, 12);
}
