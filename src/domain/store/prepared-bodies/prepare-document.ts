import { canonicalJson, sha256 } from '../../../lib/canonical.ts';
import { alignKeys } from '../../../lib/document/align-keys.ts';
import { anchorNames } from '../../../lib/document/anchors.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { hashDocument } from '../../../lib/document/document-hash.ts';
import { isEmptyDocument } from '../../../lib/document/empty.ts';
import { IN_PAGES, type TopHeading } from '../../../lib/document/markdown/forms.ts';
import { parseMarkdown } from '../../../lib/document/markdown/parse.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { type BodyReference, referencesOf } from '../../../lib/document/references.ts';
import { type Section, sectionsOf } from '../../../lib/document/sections.ts';
import { parseServiceUrl, type UrlTargets } from '../../../lib/document/service-url.ts';
import { type Use, usesOf } from '../../../lib/document/uses.ts';
import { validateDocument } from '../../../lib/document/validate.ts';
import type { Issue } from '../../../lib/validation/flatten-issues.ts';
import type { BodySource } from './source-text.ts';

/** A body that is ready to be stored, with everything that is derived from it. */
export interface PreparedDocument {
  /** SHA-256 of the canonical JSON, in hexadecimal. */
  hash: string;
  body: JSONDocument;
  /** The body as JSON text, if it is available. */
  bodyText?: string;
  markdown: string;
  /** All anchors that links to the body may use. */
  anchors: string[];
  sections: Section[];
  references: BodyReference[];
  /** Objects that the body uses. */
  uses: Use[];
}

/** A body as clients write it, in one of its two forms. */
export interface SubmittedBody {
  markdown?: string | null | undefined;
  document?: unknown;
}

/** A validated body from the input, before it replaces another one. */
export interface ValidatedBody {
  body: JSONDocument;
  /** Markdown contains no keys, so a body in Markdown takes over the keys of the body that it replaces. */
  isMarkdown: boolean;
  /**
   * Whether the body has no content. It is stored as no document, so that an empty page can be written back as it was
   * read.
   */
  isEmpty: boolean;
  /** The prepared document, if it was derived while reading. */
  derived?: PreparedDocument;
  /** The text itself, if the body was read from Markdown. */
  source?: Pick<BodySource, 'body' | 'links'>;
  /** URLs that may lead to content of this service and have not been resolved. */
  addresses?: string[];
}

/**
 * Targets of URLs in Markdown. URLs that start with `publicUrl`, and relative ones, may lead to content of this
 * service.
 */
export interface KnownAddresses {
  /** Level of `heading-1` in Markdown. */
  topHeading?: TopHeading;
  publicUrl?: string | undefined;
  /** Known targets of URLs. URLs that have none are not looked up without `publicUrl`. */
  targets?: UrlTargets | undefined;
}

/** Reads a body in one of its forms. An invalid document returns issues, with paths relative to the form. */
export function readForm(
  { markdown, document }: SubmittedBody,
  options: KnownAddresses = {},
): ValidatedBody | { issues: Issue[] } {
  if (markdown != null) return readMarkdown(markdown, options);
  const checked = validateDocument(document);
  if ('issues' in checked) return checked;
  return { body: checked.document, isMarkdown: false, isEmpty: isEmptyDocument(checked.document) };
}

function readMarkdown(markdown: string, { publicUrl, targets, topHeading = 2 }: KnownAddresses): ValidatedBody {
  const addresses = new Set<string>();
  const { document: body } = parseMarkdown(markdown, {
    nextKey: seededKeys(markdown),
    topHeading,
    resolveLink(url) {
      if (targets && Object.hasOwn(targets, url)) return targets[url];
      if (publicUrl !== undefined && parseServiceUrl(url, publicUrl)) addresses.add(url);
      return undefined;
    },
  });
  const read = { body, isMarkdown: true, isEmpty: isEmptyDocument(body) };
  return addresses.size === 0 ? read : { ...read, addresses: [...addresses] };
}

/** Prepares a body to be stored in place of another one, or of none. */
export const prepareReplacement = (
  previous: JSONDocument | undefined,
  { body, isMarkdown }: Pick<ValidatedBody, 'body' | 'isMarkdown'>,
): PreparedDocument => deriveFromBody(previous && isMarkdown ? alignKeys(previous, body) : body);

/** Version of the rules that derive values from a body. When it increases, `deriveAgain` derives all of them again. */
export const DERIVED_VERSION = 4;

/** Derives everything from a validated body. Its hash may be passed if it is known. */
export const deriveFromBody = (body: JSONDocument, hash = hashDocument(body).toString('hex')): PreparedDocument => ({
  hash,
  body,
  markdown: printMarkdown(body, IN_PAGES),
  anchors: anchorNames(body),
  sections: sectionsOf(body),
  // A tag labels a page, and is no target of a link.
  references: referencesOf(body).filter(({ ref }) => ref.kind !== 'tag'),
  uses: usesOf(body),
});

/** The same with the body as JSON text, which is written once for its hash and to be stored. */
export function deriveWithText(body: JSONDocument): PreparedDocument & { bodyText: string } {
  const bodyText = canonicalJson(body);
  return { ...deriveFromBody(body, sha256(bodyText)), bodyText };
}

/** Keys that are derived from the text, so that equal Markdown results in equal documents. */
export function seededKeys(text: string): () => string {
  const seed = sha256(text);
  let count = 0;
  return () => sha256(`${seed}:${count++}`).slice(0, 12);
}
