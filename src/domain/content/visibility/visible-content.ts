import { LRUCache } from 'lru-cache';
import { hashOf } from '../../../lib/canonical.ts';
import type { Use } from '../../../lib/document/uses.ts';
import { visitTo } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { requestCache } from '../../../platform/reads/request-cache.ts';
import { hasRoleToRead, isOnConditionalSite } from '../../people/access/index.ts';
import { type RevisionRow, toHex } from '../../store/revisions/index.ts';
import { hasConditions } from '../../store/trees/index.ts';
import { followUses } from './follow-uses.ts';
import { linkingPlaces } from './linking-places.ts';
import { loadUsedContent } from './load-used-content.ts';

/** Objects of a revision that the pages visible to a reader use, directly or through reusable contents. */
export interface VisibleContent {
  /** Identifies the content, for entity tags. */
  key: string;
  /** IDs of files and reusable contents, slugs of tags and specifications, and names of variables. */
  ids: Readonly<Record<Use['kind'], ReadonlySet<string>>>;
}

/** By everything that they follow from: the revisions, and the claims of the reader. */
const remembered = new LRUCache<string, VisibleContent>({
  maxSize: 500_000,
  sizeCalculation: ({ ids }) => Object.values(ids).reduce((sum, { size }) => sum + size, 1),
});

/**
 * The objects of a revision that the caller sees besides its pages. Undefined if the caller sees all of them: for
 * callers with a role on the space, and if neither the pages of the revision nor the structure of the site have
 * conditions. Otherwise, objects that no visible page uses are absent. Pages of other spaces of the site count, too.
 */
export const visibleContent = (ctx: Context, revision: RevisionRow): Promise<VisibleContent | undefined> =>
  requestCache(ctx, `visible content:${revision.id}`, () => findVisible(ctx, revision));

async function findVisible(ctx: Context, revision: RevisionRow): Promise<VisibleContent | undefined> {
  if (await hasRoleToRead(ctx, revision.spaceId)) return undefined;
  const isConditional = (await isOnConditionalSite(ctx, revision.spaceId)) || (await hasConditions(ctx, revision));
  if (!isConditional) return undefined;
  const revisions = [revision, ...(await linkingPlaces(ctx, revision.spaceId))];
  const key = hashOf(await Promise.all(revisions.map((each) => statesOf(ctx, each))));
  const cached = remembered.get(key);
  if (cached) return cached;
  const places = await Promise.all(revisions.map((each) => loadUsedContent(ctx, each)));
  const visible = { key, ids: await followUses(ctx, revision.spaceId, places) };
  remembered.set(key, visible);
  return visible;
}

/**
 * Everything that determines the content of a revision that a reader sees. Equal pages in two spaces are different
 * places.
 */
async function statesOf(ctx: Context, revision: RevisionRow): Promise<unknown[]> {
  const { spaceId, rootHash, reusableContentsHash, variablesHash } = revision;
  const hashes = [rootHash, reusableContentsHash, variablesHash].map((hash) => hash && toHex(hash));
  return [spaceId, await hasRoleToRead(ctx, spaceId), visitTo(ctx.actor, spaceId)?.claims ?? null, ...hashes];
}
