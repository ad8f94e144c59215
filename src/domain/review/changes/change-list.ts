import { LRUCache } from 'lru-cache';
import { type ContentChange, diffContent } from '../../../lib/diff/content-diff.ts';
import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context/context.ts';
import { cursorCodec } from '../../../platform/paging/cursor.ts';
import type { Listed, ListPage, Paging } from '../../../platform/paging/page.ts';
import { requestCache } from '../../../platform/reads/request-cache.ts';
import { manifestLoader } from '../../store/manifests/index.ts';
import { contentIn, type RevisionRow } from '../../store/revisions/index.ts';
import { nodeLoader } from '../../store/trees/index.ts';
import { visibleChanges } from './visible-changes.ts';

/** A change with the two revisions. */
export interface ChangeRow {
  /** Position in the list, from 0. */
  index: number;
  change: ContentChange;
  /** Null for the first revision of a space. */
  before: RevisionRow | null;
  after: RevisionRow;
}

/** Size of the cache, and the longest list in it. Clients read one list page by page. */
const CACHED_LISTS = 20;
const MAX_CACHED_CHANGES = 1_000;

/** By organization and hashes: what two contents differ in never changes. */
const remembered = new LRUCache<string, ContentChange[]>({ max: CACHED_LISTS });

/**
 * The changes between two revisions of a space that the caller sees. Reads only the parts of the content that differ.
 */
export function changesBetween(ctx: Context, before: RevisionRow | null, after: RevisionRow): Listed<ChangeRow> {
  const key = `changes:${before?.id ?? ''}:${after.id}`;
  const all = () =>
    requestCache(ctx, key, async () => visibleChanges(ctx, before, after, await readChanges(ctx, before, after)));
  return {
    total: async () => (await all()).length,
    page: async (paging) => pageOf(ctx, key, await all(), paging, { before, after }),
  };
}

async function readChanges(ctx: Context, before: RevisionRow | null, after: RevisionRow): Promise<ContentChange[]> {
  const organizationId = after.organizationId;
  const versions = [before && contentIn(before), contentIn(after)] as const;
  const key = JSON.stringify([organizationId, ...versions]);
  const cached = remembered.get(key);
  if (cached) return cached;
  const changes = await diffContent(...versions, {
    nodes: nodeLoader(ctx, organizationId),
    manifests: manifestLoader<ManifestEntry>(ctx, organizationId),
  });
  if (changes.length <= MAX_CACHED_CHANGES) remembered.set(key, changes);
  return changes;
}

/** Revisions are immutable, so a cursor is a position in the list. */
function pageOf(
  ctx: Context,
  name: string,
  changes: readonly ContentChange[],
  { size, direction, cursor }: Paging,
  between: Pick<ChangeRow, 'before' | 'after'>,
): ListPage<ChangeRow> {
  const isForward = direction === 'forward';
  const codec = cursorCodec(ctx.services.secretKeys, name, 1);
  const [from] = cursor === undefined ? [] : codec.decode(cursor, [isForward ? 'after' : 'before']);
  const at = from === undefined ? undefined : Number(from);
  const start = isForward ? (at ?? -1) + 1 : Math.max(0, (at ?? changes.length) - size);
  const end = isForward ? Math.min(changes.length, start + size) : (at ?? changes.length);
  return {
    rows: changes.slice(start, end).map((change, place) => ({ index: start + place, change, ...between })),
    hasNext: isForward ? end < changes.length && size > 0 : at !== undefined,
    hasPrevious: isForward ? at !== undefined : start > 0 && size > 0,
    cursorOf: ({ index }) => codec.encode([index]),
  };
}
