import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { conditionHolds } from '../../../lib/expression/condition.ts';
import { visitorScope } from '../../../lib/expression/expression.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { visitTo } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import { requestCache } from '../../../platform/reads/request-cache.ts';
import { hasRoleToRead } from '../../people/access/index.ts';
import { type RevisionRow, toHex } from '../revisions/index.ts';
import { loadTree } from './load-tree.ts';

type Placed = Pick<LoadedPage, 'pageId' | 'path'>;

/** The pages of a revision that a reader does not see, and everything below them. */
export class HiddenPages {
  /** Ids of the pages whose condition is not met. */
  readonly ids: ReadonlySet<string>;
  readonly #paths: ReadonlySet<string>;

  constructor(pages: readonly Placed[]) {
    this.ids = new Set(pages.map(({ pageId }) => pageId));
    this.#paths = new Set(pages.flatMap(({ path }) => path ?? []));
  }

  /** Whether a page with a path is one of them. Links have no path: what contains them decides. */
  has({ pageId, path }: Placed): boolean {
    if (this.ids.has(pageId)) return true;
    for (let end = path?.length ?? -1; end > 0; end = path?.lastIndexOf('/', end - 1) ?? -1) {
      if (this.#paths.has(path?.slice(0, end) ?? '')) return true;
    }
    return false;
  }

  /** Pages of a whole tree without them. */
  without(pages: readonly LoadedPage[]): LoadedPage[] {
    const above = new Map(pages.map((page) => [page.pageId, page]));
    return pages.filter((page) => {
      const parent = page.path === null && page.parentId !== null ? above.get(page.parentId) : undefined;
      return !this.has(page) && !(parent && this.has(parent));
    });
  }
}

/**
 * The pages of a revision that are hidden from the caller by their conditions; undefined if none are. Callers with a
 * role on the space see all pages. For others, the claims of their visit decide; without a visit, pages with a
 * condition are hidden. Read once for each tree.
 */
export const hiddenPages = (ctx: Context, revision: RevisionRow): Promise<HiddenPages | undefined> =>
  requestCache(ctx, `hidden pages:${revision.id}`, () => findHidden(ctx, revision));

/** Whether pages of a revision have conditions, met by the caller or not. Read once for each tree. */
export const hasConditions = async (ctx: Context, revision: RevisionRow): Promise<boolean> =>
  (await conditionalPages(ctx, revision)).length > 0;

async function findHidden(ctx: Context, revision: RevisionRow): Promise<HiddenPages | undefined> {
  if (await hasRoleToRead(ctx, revision.spaceId)) return undefined;
  const pages = await conditionalPages(ctx, revision);
  const visit = visitTo(ctx.actor, revision.spaceId);
  const scope = visit && visitorScope(visit.claims);
  const pause = makeYielder();
  const outcomes = new Map<string, boolean>();
  const hidden: ConditionalPage[] = [];
  for (const page of pages) {
    const { condition } = page;
    await pause();
    const holds = outcomes.get(condition) ?? (scope !== undefined && conditionHolds(condition, scope));
    outcomes.set(condition, holds);
    if (!holds) hidden.push(page);
  }
  return hidden.length === 0 ? undefined : new HiddenPages(hidden);
}

interface ConditionalPage extends Placed {
  condition: string;
}

/** Number of pages with conditions in all remembered trees. */
const REMEMBERED_PAGES = 50_000;

/** By organization and root hash. Both identify an immutable tree. */
const remembered = new LRUCache<string, readonly ConditionalPage[]>({
  maxSize: REMEMBERED_PAGES,
  sizeCalculation: ({ length }) => length + 1,
});

/** The pages of a revision with a condition. One statement for heads; the tree of other revisions is loaded. */
async function conditionalPages(ctx: Context, revision: RevisionRow): Promise<readonly ConditionalPage[]> {
  const key = `${revision.organizationId}/${toHex(revision.rootHash)}`;
  const cached = remembered.get(key);
  if (cached) return cached;
  const pages = (await readInHead(ctx, revision.id)) ?? (await readInTree(ctx, revision));
  remembered.set(key, pages);
  return pages;
}

/** By the id of the revision, batched. Revisions that are not the head of their space are left out. */
const readInHead = sharedLoader<ConditionalPage[]>('conditional pages', readConditions, { isStored: true });

async function readConditions(db: Database, revisionIds: string[]): Promise<Map<string, ConditionalPage[]>> {
  const { rows } = await sql<{ revisionId: string; pageId: string | null; path: string | null; condition: string }>`
    select r.id as revision_id, c.page_id, c.path, c.condition
    from revision r
    join space s on s.id = r.space_id and s.revision_id = r.id
    left join lateral (
      select h.page_id, h.path, n.fields ->> 'condition' as condition
      from head_page h join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
      where h.space_id = s.id and n.fields ->> 'condition' is not null) c on true
    where r.id = any(${revisionIds}::text[])`.execute(db);
  const pagesByRevision = new Map<string, ConditionalPage[]>();
  for (const { revisionId, pageId, path, condition } of rows) {
    const pages = pagesByRevision.get(revisionId) ?? [];
    if (pageId !== null) pages.push({ pageId, path, condition });
    pagesByRevision.set(revisionId, pages);
  }
  return pagesByRevision;
}

async function readInTree(ctx: Context, revision: RevisionRow): Promise<ConditionalPage[]> {
  const pages = await loadTree(ctx, revision);
  return pages.flatMap(({ pageId, path, node }) => {
    const { condition } = node.fields;
    return condition === undefined ? [] : [{ pageId, path, condition }];
  });
}
