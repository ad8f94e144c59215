import { sha256 } from '../../../lib/canonical.ts';
import { alignKeys } from '../../../lib/document/align-keys.ts';
import { hashOf } from '../../../lib/document/canonical.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { isEmptyDocument } from '../../../lib/document/empty.ts';
import { parseMarkdown } from '../../../lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { ownAddress, type Targets } from '../../../lib/document/own-address.ts';
import { type ContentReference, referencesOf } from '../../../lib/document/references.ts';
import { type Section, sectionsOf } from '../../../lib/document/sections.ts';
import { type Issue, validateDocument } from '../../../lib/document/validate.ts';
import type { DocumentInput } from './document-input.ts';

/** A body ready to be stored: everything that is derived from it, made once. */
export interface PreparedDocument {
  /** Hex SHA-256 of the canonical JSON. */
  hash: string;
  body: JSONDocument;
  /** The body as JSON, where that is at hand already. */
  bodyText?: string;
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
  /** What follows from the body as it stands, where that was made along with it. */
  derived?: PreparedDocument;
  /** Addresses that may name content of the service, where nobody has said what they name. */
  addresses?: string[];
}

/** What is known of the addresses in Markdown: those that begin with `publicUrl` or with nothing may be the service's own. */
export interface KnownAddresses {
  publicUrl?: string | undefined;
  /** What they name; absent when it is not looked up yet. */
  targets?: Targets | undefined;
}

/** Reads a body in one of its forms. What is no document has issues, whose paths begin below the form. */
export function readForm(
  { markdown, document }: DocumentInput,
  known: KnownAddresses = {},
): ReadBody | { issues: Issue[] } {
  if (markdown != null) return readMarkdown(markdown, known);
  const checked = validateDocument(document);
  if ('issues' in checked) return checked;
  return { body: checked.document, isMarkdown: false, isEmpty: isEmptyDocument(checked.document) };
}

function readMarkdown(markdown: string, { publicUrl, targets }: KnownAddresses): ReadBody {
  const addresses = new Set<string>();
  const { document: body } = parseMarkdown(markdown, {
    nextKey: seededKeys(markdown),
    resolveLink(url) {
      if (targets) return Object.hasOwn(targets, url) ? targets[url] : undefined;
      if (publicUrl !== undefined && ownAddress(url, publicUrl)) addresses.add(url);
      return undefined;
    },
  });
  const read = { body, isMarkdown: true, isEmpty: isEmptyDocument(body) };
  return addresses.size === 0 ? read : { ...read, addresses: [...addresses] };
}

/** A read body, ready to be stored in the place of another. */
export const writeOver = (
  previous: JSONDocument | undefined,
  { body, isMarkdown }: Pick<ReadBody, 'body' | 'isMarkdown'>,
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
