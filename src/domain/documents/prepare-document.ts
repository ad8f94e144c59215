import { sha256 } from '../../lib/canonical.ts';
import { alignKeys } from '../../lib/document/align-keys.ts';
import { hashOf } from '../../lib/document/canonical.ts';
import type { JSONDocument } from '../../lib/document/document.ts';
import { isEmptyDocument } from '../../lib/document/empty.ts';
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

/** A body as it was read from the input: checked, and not yet written over anything. */
export interface ReadBody {
  body: JSONDocument;
  /** Markdown names no keys, so a body written in it takes those of the body that it replaces. */
  isMarkdown: boolean;
  /** Says nothing: stored as no document at all, so that an empty page can be written back as it was read. */
  isEmpty: boolean;
}

/**
 * Reads a body that somebody wrote, as Markdown or as JSON; undefined when neither form is given, which is an empty body
 * (specification 2.6, "Document"). `path` is where it stands in the input, for the refusal.
 */
export function readBody(input: DocumentInput, path: (string | number)[]): ReadBody | undefined {
  if (input.markdown != null) {
    const { document } = parseMarkdown(input.markdown, { nextKey: seededKeys(input.markdown) });
    return { body: document, isMarkdown: true, isEmpty: isEmptyDocument(document) };
  }
  if (input.document === undefined) return undefined;
  const checked = validateDocument(input.document);
  if ('document' in checked)
    return { body: checked.document, isMarkdown: false, isEmpty: isEmptyDocument(checked.document) };
  const issues = checked.issues.map((issue) => ({
    path: [...path, 'document', ...issue.path],
    message: issue.message,
  }));
  const [first] = issues;
  throw new Refusal('BAD_USER_INPUT', `${first?.path.join('.')}: ${first?.message}`, issues);
}

/** A read body, ready to be stored in the place of another. */
export const writeOver = (
  previous: JSONDocument | undefined,
  { body, isMarkdown }: Omit<ReadBody, 'isEmpty'>,
): PreparedDocument => derive(previous && isMarkdown ? alignKeys(previous, body) : body);

/** Everything that is derived from a checked body; its hash may be known. */
export const derive = (body: JSONDocument, hash = hashOf(body).toString('hex')): PreparedDocument => ({
  hash,
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
