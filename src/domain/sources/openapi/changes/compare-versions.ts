import { LRUCache } from 'lru-cache';
import type { Context } from '../../../../platform/context/context.ts';
import { ApiError, badInput } from '../../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../../platform/own-files.ts';
import type { Listed } from '../../../../platform/paging/page.ts';
import { SharedWork } from '../../../../platform/reads/shared-work.ts';
import { rankedList } from '../../../content/search/index.ts';
import { fileBytesOf } from '../processing/file-bytes.ts';
import type { VersionRow } from '../versions.ts';
import type { ChangeFilter, OpenApiChangeRow } from './change-resources.ts';
import type { work as compareWork } from './compare-work.ts';

const module = ownModule('domain/sources/openapi/changes/compare-work.ts');
const LIMIT_MS = 60_000;

/** Comparisons by both versions, which are immutable. */
const cache = new LRUCache<string, OpenApiChangeRow[]>({ max: 20 });
// The comparison has a time limit, which begins when it has a slot.
const comparing = new SharedWork<OpenApiChangeRow[]>({ limitMs: Number.POSITIVE_INFINITY });

/** The version of the same specification to compare with. BAD_USER_INPUT for any other id. */
export async function baseOf(
  ctx: Context,
  { specId }: Pick<VersionRow, 'specId'>,
  baseVersionId: string,
): Promise<string> {
  const base = await ctx.db
    .selectFrom('openapi_spec_version')
    .where('id', '=', baseVersionId)
    .where('specId', '=', specId)
    .select('id')
    .executeTakeFirst();
  if (!base) throw badInput(['baseVersionId'], 'is not the ID of a version of this specification.', 'NOT_FOUND');
  return base.id;
}

/**
 * The changes from any version to another of the same specification, as those between neighbours. Does not check
 * access.
 */
export async function specificationChanges(
  ctx: Context,
  baseId: string,
  version: VersionRow,
): Promise<OpenApiChangeRow[]> {
  const key = `${baseId} ${version.id}`;
  const cached = cache.get(key);
  if (cached) return cached;
  return comparing.join(ctx, key, async (inner) => {
    const changes = await compare(inner, baseId, version);
    cache.set(key, changes);
    return changes;
  });
}

async function compare(ctx: Context, baseId: string, { id, organizationId }: VersionRow): Promise<OpenApiChangeRow[]> {
  const before = await fileBytesOf(ctx, baseId, 'specification');
  const after = await fileBytesOf(ctx, id, 'specification');
  try {
    const input = { before, after };
    const work = { module, input, limitMs: LIMIT_MS };
    const changes = await ctx.services.heavyWork.inWorker<typeof compareWork>(
      'compare-openapi',
      { ctx, organizationId },
      work,
    );
    return changes.map((change, position) => ({ versionId: id, position, organizationId, ...change }));
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw new ApiError('SERVICE_UNAVAILABLE', `The versions could not be compared because ${error.message}.`);
  }
}

/** The same as a list. */
export function listedChanges(
  ctx: Context,
  { baseId, version }: { baseId: string; version: VersionRow },
  { breaking, subject }: ChangeFilter,
): Listed<OpenApiChangeRow> {
  const isWanted = (change: OpenApiChangeRow) =>
    (breaking === null || change.isBreaking === breaking) && (subject === null || change.subject === subject);
  const ranked = async () =>
    (await specificationChanges(ctx, baseId, version))
      .filter(isWanted)
      .map((change) => ({ ...change, id: String(change.position), score: -change.position }));
  const { isUncounted: _, ...list } = rankedList(ctx, {
    binding: `openApiVersion.comparison:${JSON.stringify([baseId, version.id, breaking, subject])}`,
    read: ranked,
    load: async (rows) => rows,
  });
  return list;
}
