import { LRUCache } from 'lru-cache';
import { type AnchorIds, anchorIds, withOwnIds } from '../../../lib/document/anchors.ts';
import type { ContentRef, RefOf } from '../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { mapReferences, referencesOf } from '../../../lib/document/references.ts';
import { makeYielder } from '../../../lib/tick.ts';
import { visitsOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { BODIES_AT_ONCE, loadDocument, readDocument } from '../../store/bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { computeDocument } from '../computed-sources/index.ts';
import type { ReadingOptions } from './reading-query.ts';
import { type PageInRevision, referencedPages } from './referenced-pages.ts';

/** Anchors of bodies by organization and hash, which do not change. */
const anchorCache = new LRUCache<string, AnchorIds>({ maxSize: 100_000, sizeCalculation: ({ size }) => size + 1 });

/** Whether a body is read to be shown: evaluated, or by a visitor of a site, who cannot write it back. */
export const isForReaders = ({ actor }: Context, { evaluated }: Pick<ReadingOptions, 'evaluated'>): boolean =>
  evaluated !== 'false' || visitsOf(actor).length > 0;

/** Anchor ids of a stored body, which links into it use. `hash` is in hexadecimal. */
export async function anchorIdsOfBody(ctx: Context, organizationId: string, hash: string): Promise<AnchorIds> {
  return anchorIdsIn(organizationId, hash, async () => (await loadDocument(ctx, organizationId, hash)).body);
}

async function anchorIdsIn(
  organizationId: string,
  hash: string,
  read: () => Promise<JSONDocument>,
): Promise<AnchorIds> {
  const key = `${organizationId}/${hash}`;
  const ids = anchorCache.get(key) ?? anchorIds(await read());
  anchorCache.set(key, ids);
  return ids;
}

/** An anchor that links lead to. */
export interface PageAnchor extends PageInRevision {
  anchor: string;
}

/**
 * Finds the ids that pages show for anchors, which links into them use. Returns a function of the anchors; undefined
 * for those that lead nowhere. A page can link into thousands of others, so that their bodies are read in groups and
 * not kept.
 */
export async function shownAnchorIds(
  ctx: Context,
  anchors: readonly PageAnchor[],
): Promise<(anchor: PageAnchor) => string | undefined> {
  const ids = new Map<string, string>();
  const pages = [...Map.groupBy(anchors, placeKey).values()];
  const pause = makeYielder();
  for (let at = 0; at < pages.length; at += BODIES_AT_ONCE) {
    const take = async (same: readonly PageAnchor[]) => {
      const [first] = same;
      const shown = first && (await anchorIdsOfPage(ctx, first));
      for (const each of same) {
        const id = shown?.get(each.anchor);
        if (id !== undefined) ids.set(anchorKey(each), id);
      }
      await pause();
    };
    await Promise.all(pages.slice(at, at + BODIES_AT_ONCE).map(take));
  }
  return (anchor) => ids.get(anchorKey(anchor));
}

const placeKey = ({ revision, page }: PageInRevision): string => `${revision.id}/${page.pageId}`;

const anchorKey = (anchor: PageAnchor): string => `${placeKey(anchor)}/${anchor.anchor}`;

/** Undefined if the page has no body. */
async function anchorIdsOfPage(
  ctx: Context,
  { revision: { organizationId }, page: { documentHash, node } }: PageInRevision,
): Promise<AnchorIds | undefined> {
  if (documentHash !== null) {
    const read = async () => (await readDocument(ctx, organizationId, documentHash)).body;
    return anchorIdsIn(organizationId, documentHash, read);
  }
  if (node.kind !== 'document' || !node.fields.computed) return undefined;
  return anchorIds(await computeDocument(ctx, organizationId, node.fields.computed));
}

/**
 * A body for readers: links to anchors have the ids that their targets show (`anchorIds`). Those that lead nowhere, or
 * to a page that the caller cannot see, stay. `ownIds` returns where links within the body lead.
 */
export async function withShownAnchors(
  ctx: Context,
  revision: RevisionRow,
  body: JSONDocument,
  ownIds: () => AnchorIds | Promise<AnchorIds>,
): Promise<JSONDocument> {
  const refs = referencesOf(body).flatMap(({ ref }) => (ref.kind === 'anchor' ? ref : []));
  if (refs.length === 0) return body;
  const ownAnchors = await ownIds();
  const within = withOwnIds(body, () => ownAnchors);
  const idOf = await idsElsewhere(ctx, revision, refs.filter(isElsewhere));
  return mapReferences(within, (ref) => {
    const id = isElsewhere(ref) ? idOf(ref) : undefined;
    return isElsewhere(ref) && id !== undefined && id !== ref.anchor ? { ...ref, anchor: id } : ref;
  });
}

type AnchorElsewhere = RefOf<'anchor'> & { page: string };

const isElsewhere = (ref: ContentRef): ref is AnchorElsewhere => ref.kind === 'anchor' && ref.page !== undefined;

async function idsElsewhere(ctx: Context, revision: RevisionRow, refs: readonly AnchorElsewhere[]) {
  const pageOf = await referencedPages(ctx, revision, refs);
  const anchorOf = (ref: AnchorElsewhere): PageAnchor[] => {
    const page = pageOf(ref);
    return page ? [{ ...page, anchor: ref.anchor }] : [];
  };
  const idOf = await shownAnchorIds(ctx, refs.flatMap(anchorOf));
  return (ref: AnchorElsewhere): string | undefined => anchorOf(ref).map(idOf)[0];
}
