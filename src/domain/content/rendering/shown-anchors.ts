import { LRUCache } from 'lru-cache';
import { type AnchorIds, anchorIds, withOwnIds } from '../../../lib/document/anchors.ts';
import type { ContentRef, RefOf } from '../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { mapReferences, referencesOf } from '../../../lib/document/references.ts';
import { stableUrl } from '../../../lib/document/stable-url.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { visitsOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { loadDocument } from '../../store/bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { computeDocument, findReadPage, type SourceOf } from '../computed-sources/index.ts';
import { loadRevision } from '../revisions/index.ts';
import type { Reading } from './reading.ts';

/** Anchors of bodies by organization and hash, which do not change. */
const anchorCache = new LRUCache<string, AnchorIds>({ maxSize: 100_000, sizeCalculation: ({ size }) => size + 1 });

/** Whether a body is read to be shown: evaluated, or by a visitor of a site, who cannot write it back. */
export const isForReaders = ({ actor }: Context, { evaluated }: Pick<Reading, 'evaluated'>): boolean =>
  evaluated !== 'false' || visitsOf(actor).length > 0;

/** Anchor ids of a stored body, which links into it use. `hash` is in hexadecimal. */
export async function anchorIdsOfBody(ctx: Context, organizationId: string, hash: string): Promise<AnchorIds> {
  const key = `${organizationId}/${hash}`;
  const ids = anchorCache.get(key) ?? anchorIds((await loadDocument(ctx, organizationId, hash)).body);
  anchorCache.set(key, ids);
  return ids;
}

/** Anchor ids of a page, which links into it use. Undefined if it has no body. */
export async function anchorIdsOfPage(
  ctx: Context,
  { organizationId }: Pick<RevisionRow, 'organizationId'>,
  { documentHash, node }: LoadedPage,
): Promise<AnchorIds | undefined> {
  if (documentHash !== null) return anchorIdsOfBody(ctx, organizationId, documentHash);
  if (node.kind !== 'document' || !node.fields.computed) return undefined;
  return anchorIds(await computeDocument(ctx, organizationId, node.fields.computed as unknown as SourceOf)); // made by a source
}

/**
 * A body for readers: links to anchors have the ids that their targets show (`anchorIds`). Those that lead nowhere, or to a page
 * that the caller cannot see, stay. `ownIds` returns where links within the body lead.
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
  const pages = new Map(refs.filter(isElsewhere).map((ref) => [pageKey(ref), ref]));
  const entries = await Promise.all(
    [...pages].map(async ([key, ref]) => [key, await idsElsewhere(ctx, revision, ref)] as const),
  );
  const idsOf = new Map(entries);
  return mapReferences(within, (ref) => {
    const id = isElsewhere(ref) ? idsOf.get(pageKey(ref))?.get(ref.anchor) : undefined;
    return isElsewhere(ref) && id !== undefined && id !== ref.anchor ? { ...ref, anchor: id } : ref;
  });
}

type PageAnchor = RefOf<'anchor'> & { page: string };

const isElsewhere = (ref: ContentRef): ref is PageAnchor => ref.kind === 'anchor' && ref.page !== undefined;

const pageKey = ({ page, space }: PageAnchor): string =>
  stableUrl({ kind: 'page', page, ...(space !== undefined && { space }) });

async function idsElsewhere(
  ctx: Context,
  revision: RevisionRow,
  { page: pageId, space }: PageAnchor,
): Promise<AnchorIds | undefined> {
  const place = space === undefined || space === revision.spaceId ? revision : await headOf(ctx, space);
  const foundPage = place && (await findReadPage(ctx, place, { pageId }));
  return place && foundPage && anchorIdsOfPage(ctx, place, foundPage.page);
}

async function headOf(ctx: Context, spaceId: string): Promise<RevisionRow | undefined> {
  const space = await loadSpace(ctx, spaceId);
  return space && loadRevision(ctx, space.revisionId);
}
