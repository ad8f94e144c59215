import { LRUCache } from 'lru-cache';
import { hashOf } from '../../../lib/canonical.ts';
import { type AnchorIds, anchorIds } from '../../../lib/document/anchors.ts';
import { dereference } from '../../../lib/document/dereference.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { emptyDocument } from '../../../lib/document/empty.ts';
import { evaluateDocument } from '../../../lib/document/evaluate-document.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { StoredSource } from '../../../lib/tree/node.ts';
import type { Context } from '../../../platform/context/context.ts';
import { hasRoleToRead } from '../../people/access/index.ts';
import { loadDocument, loadSource } from '../../store/bodies/index.ts';
import type { BodySource } from '../../store/prepared-bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { hiddenPages } from '../../store/trees/index.ts';
import { computeDocument, showSources } from '../computed-sources/index.ts';
import { expressionScope, type Variables, visibleBody } from '../visibility/index.ts';
import { type Links, linksFrom, stablePaths } from './links-from.ts';
import { loadContents } from './load-contents.ts';
import { printBodyMarkdown } from './print-body-markdown.ts';
import { isUntouched } from './print-with-links.ts';
import type { BodyQuery, ReadingOptions } from './reading-query.ts';
import { anchorIdsOfBody, isForReaders, withShownAnchors } from './shown-anchors.ts';

/** Cache of patched texts, because patching parses a text twice. The key is everything that they depend on. */
const patched = new LRUCache<string, string>({ maxSize: 8_000_000, sizeCalculation: ({ length }) => length + 500 });

const pause = makeYielder();

/** A body in its context. */
export interface BodyOf {
  revision: RevisionRow;
  /** Hash in hexadecimal; null if there is no body, which reads as an empty document. */
  documentHash: string | null;
  /** Hash of the Markdown that the body was written as. */
  sourceHash?: string | null;
  /** Variables of the page; absent if the body does not belong to one. */
  variables?: Variables;
  /** Source of the body, if it is computed. */
  computed?: StoredSource;
  /** Path of the page, which relative links start from. */
  path?: string | null;
}

/**
 * A body with the given reading options. Returns the stored object itself if nothing had to be replaced. For readers,
 * links to anchors have the ids that their targets show.
 */
export async function renderBody(ctx: Context, of: BodyOf, reading: ReadingOptions): Promise<JSONDocument> {
  const body = await storedBody(ctx, of);
  return body ? renderGiven(ctx, of, body, reading) : emptyDocument();
}

/** Like `renderBody`, for a body that is given instead of the stored one. */
export async function renderGiven(
  ctx: Context,
  of: BodyOf,
  body: JSONDocument,
  reading: ReadingOptions,
): Promise<JSONDocument> {
  const { revision, variables } = of;
  // One request can show a body many times.
  await pause();
  const { evaluated, dereferenced } = reading;
  const evaluatedBody =
    evaluated === 'false' ? body : evaluateDocument(body, await expressionScope(ctx, evaluated, revision, variables));
  const fullBody =
    dereferenced === 'false' ? evaluatedBody : await dereference(evaluatedBody, loadContents(ctx, of, evaluated));
  const linked = isForReaders(ctx, reading)
    ? await withShownAnchors(ctx, revision, fullBody, () => anchorsOf(ctx, of, body))
    : fullBody;
  return dereferenced === 'true' ? showSources(ctx, revision.organizationId, linked) : linked;
}

/** Targets of links within a body. The numbers of equal headings include headings that are hidden from the caller. */
const anchorsOf = async (ctx: Context, { revision, documentHash }: BodyOf, body: JSONDocument): Promise<AnchorIds> =>
  documentHash === null ? anchorIds(body) : anchorIdsOfBody(ctx, revision.organizationId, documentHash);

/**
 * The body before any reading option is applied, without parts that are hidden from the caller. Undefined if there is
 * none.
 */
async function storedBody(ctx: Context, of: BodyOf): Promise<JSONDocument | undefined> {
  const { revision, documentHash, computed, variables } = of;
  // A translation is computed and stored.
  if (documentHash === null) return computed && computeDocument(ctx, revision.organizationId, computed);
  const { body } = await loadDocument(ctx, revision.organizationId, documentHash);
  return visibleBody(ctx, revision, body, variables);
}

/** How Markdown is written: its reading options, and its links. */
export type MarkdownReading = ReadingOptions & { references: BodyQuery['format.markdown.refs'] | 'paths' };

/**
 * A body as Markdown: a patch of the text that it was written as, with its comments. Where expressions or references
 * are replaced, and for bodies that were not written as Markdown, it is printed. References in the form `paths` are
 * stable, as clients of `/v1` read them (`stablePath`).
 */
export async function renderMarkdown(ctx: Context, of: BodyOf, reading: MarkdownReading): Promise<string> {
  const { revision, path } = of;
  const { references } = reading;
  const body = await renderBody(ctx, of, reading);
  // A link that stays as it was written has the path of its page.
  const keepsLinks = references === 'written' && (await hiddenPages(ctx, revision)) === undefined;
  await pause();
  return printRendered(ctx, of, body, {
    links: await linksOf(ctx, revision, path ?? '', body, references),
    keepsLinks,
  });
}

async function linksOf(
  ctx: Context,
  revision: RevisionRow,
  path: string,
  body: JSONDocument,
  references: MarkdownReading['references'],
): Promise<Links> {
  if (references === 'stable') return {};
  return references === 'paths' ? stablePaths(body) : linksFrom(ctx, revision, path, body);
}

/** A stored body with the text that it was written as. */
export interface WrittenBody {
  organizationId: string;
  documentHash: string;
  body: JSONDocument;
  /** The Markdown that is printed for it. */
  markdown: string;
  /** Absent if the body has no text of its own. */
  source?: BodySource & { hash: string };
  path: string;
}

/** A body as Markdown with these links, where nothing in it was replaced. */
export async function printWritten(
  ctx: Context,
  { organizationId, documentHash, body, markdown, source: text, path }: WrittenBody,
  { links, keepsLinks = false }: { links: Links; keepsLinks?: boolean },
): Promise<string> {
  if (!text)
    return Object.keys(links).length === 0 ? markdown : printBodyMarkdown(ctx, organizationId, { body, links });
  const { hash: sourceHash, ...source } = text;
  const from = { body, links, source, path, keepsLinks };
  if (isUntouched(documentHash, from)) return source.body;
  const key = hashOf({ organizationId, documentHash, sourceHash, links, path, keepsLinks });
  const cached = patched.get(key);
  if (cached !== undefined) return cached;
  const printed = await printBodyMarkdown(ctx, organizationId, from);
  patched.set(key, printed);
  return printed;
}

/** A body that `renderBody` has returned as Markdown with these links, or one that was made of it. */
export async function printRendered(
  ctx: Context,
  { revision: { organizationId, spaceId }, documentHash, sourceHash, path, computed }: BodyOf,
  body: JSONDocument,
  { links, keepsLinks = false }: { links: Links; keepsLinks?: boolean },
): Promise<string> {
  if (documentHash === null) return computed ? printBodyMarkdown(ctx, organizationId, { body, links }) : '';
  const stored = await loadDocument(ctx, organizationId, documentHash);
  if (body !== stored.body) return printBodyMarkdown(ctx, organizationId, { body, links });
  // The text can have comments, which authors write for each other: callers without a role on the space get the body
  // printed.
  const readsText = sourceHash != null && (await hasRoleToRead(ctx, spaceId));
  const source = readsText ? await loadSource(ctx, organizationId, sourceHash) : undefined;
  const content = { organizationId, documentHash, ...stored, path: path ?? '' };
  return printWritten(
    ctx,
    { ...content, ...(source && sourceHash != null && { source: { ...source, hash: sourceHash } }) },
    { links, keepsLinks },
  );
}
