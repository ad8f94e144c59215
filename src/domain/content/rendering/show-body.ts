import { LRUCache } from 'lru-cache';
import { hashOf } from '../../../lib/canonical.ts';
import { dereference } from '../../../lib/document/dereference.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { emptyDocument } from '../../../lib/document/empty.ts';
import { evaluateDocument } from '../../../lib/document/evaluate-document.ts';
import { makePause } from '../../../lib/pause.ts';
import type { Context } from '../../../platform/context.ts';
import { loadDocument, loadSource } from '../../store/bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { hiddenPages } from '../../store/trees/index.ts';
import { computeDocument, type SourceOf, showSources } from '../computing/index.ts';
import { scopeOf, seenBody, type Variables } from '../visibility/index.ts';
import { linksFrom } from './links-from.ts';
import { contentsOf } from './load-contents.ts';
import { printBody } from './print-body.ts';
import { isUntouched } from './printed.ts';
import type { BodyQuery, Reading } from './reading.ts';

/** Texts that were patched before, since patching parses a text twice. By everything that they depend on. */
const patched = new LRUCache<string, string>({ maxSize: 8_000_000, sizeCalculation: ({ length }) => length + 500 });

const pause = makePause();

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
  computed?: SourceOf;
  /** Path of the page, which relative links start from. */
  path?: string | null;
}

/** A body with the given reading options. Returns the stored object itself if nothing had to be replaced. */
export async function showBody(ctx: Context, of: BodyOf, reading: Reading): Promise<JSONDocument> {
  const { revision, variables } = of;
  const body = await storedBody(ctx, of);
  if (!body) return emptyDocument();
  // One request can show a body many times.
  await pause();
  const { evaluated, dereferenced } = reading;
  const shown =
    evaluated === 'false' ? body : evaluateDocument(body, await scopeOf(ctx, evaluated, revision, variables));
  if (dereferenced === 'false') return shown;
  const whole = await dereference(shown, contentsOf(ctx, of, evaluated));
  return dereferenced === 'true' ? showSources(ctx, revision.organizationId, whole) : whole;
}

/** The body before any reading option is applied, without what is hidden from the caller. Undefined if there is none. */
async function storedBody(ctx: Context, of: BodyOf): Promise<JSONDocument | undefined> {
  const { revision, documentHash, computed, variables } = of;
  // A translation is computed and stored.
  if (documentHash === null) return computed && computeDocument(ctx, revision.organizationId, computed);
  const { body } = await loadDocument(ctx, revision.organizationId, documentHash);
  return seenBody(ctx, revision, body, variables);
}

/**
 * A body as Markdown: a patch of the text that it was written as, with its comments. Where expressions or references are
 * replaced, and for bodies that were not written as Markdown, it is printed.
 */
export async function showMarkdown(
  ctx: Context,
  of: BodyOf,
  reading: Reading & { references: BodyQuery['format.markdown.refs'] },
): Promise<string> {
  const { revision, documentHash, sourceHash, path } = of;
  const { organizationId } = revision;
  if (documentHash === null) return of.computed ? showComputed(ctx, of, reading) : '';
  const stored = await loadDocument(ctx, organizationId, documentHash);
  const body = await showBody(ctx, of, reading);
  const { references } = reading;
  // A link that stays as it was written has the path of its page.
  const keepsLinks = references === 'written' && (await hiddenPages(ctx, revision)) === undefined;
  await pause();
  const links = references === 'stable' ? {} : await linksFrom(ctx, revision, path ?? '', body);
  if (body === stored.body && sourceHash != null) {
    const source = await loadSource(ctx, organizationId, sourceHash);
    const from = { body, links, source, path: path ?? '', keepsLinks };
    if (isUntouched(documentHash, from)) return source.body;
    const key = hashOf({
      organizationId,
      documentHash,
      sourceHash,
      links,
      path: from.path,
      keepsLinks: from.keepsLinks,
    });
    const known = patched.get(key);
    if (known !== undefined) return known;
    const markdown = await printBody(ctx, organizationId, from);
    patched.set(key, markdown);
    return markdown;
  }
  if (body === stored.body && Object.keys(links).length === 0) return stored.markdown;
  return printBody(ctx, organizationId, { body, links });
}

async function showComputed(
  ctx: Context,
  of: BodyOf,
  reading: Reading & { references: BodyQuery['format.markdown.refs'] },
): Promise<string> {
  const { revision, path } = of;
  const body = await showBody(ctx, of, reading);
  const links = reading.references === 'stable' ? {} : await linksFrom(ctx, revision, path ?? '', body);
  return printBody(ctx, revision.organizationId, { body, links });
}
