import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { memoryOf } from '../../../../lib/document/size.ts';
import type { Outline } from '../../../../lib/openapi/outline.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { batchLoader } from '../../../../platform/reads/loader.ts';

/** The latest version of a specification, as pages are made from it. */
export interface LatestVersion {
  versionId: string;
  createdAt: string;
  slug: string;
  url: string | null;
}

/** Latest versions by `<organization id> <slug>`, batched. Does not check access. */
const latestVersions = batchLoader<LatestVersion>('latest openapi version', async (ctx, keys) => {
  const keyParts = keys.map((key) => key.split(' '));
  const { rows } = await sql<LatestVersion & { organizationId: string }>`
    select s.organization_id, s.slug, s.source_url as url, v.id as version_id, v.created_at
    from unnest(${keyParts.map(([id = '']) => id)}::text[], ${keyParts.map(([, slug = '']) => slug)}::text[]) as w(organization_id, slug)
    join openapi_spec s on s.organization_id = w.organization_id and s.slug = w.slug
    join openapi_spec_version v on v.id = s.latest_version_id`.execute(ctx.db);
  return new Map(rows.map(({ organizationId, ...version }) => [`${organizationId} ${version.slug}`, version]));
});

export const latestVersion = (ctx: Context, organizationId: string, slug: string): Promise<LatestVersion | undefined> =>
  latestVersions(ctx, `${organizationId} ${slug}`);

/** Outlines that were read before. Versions are immutable. There is room for the largest one. */
const outlines = new LRUCache<string, Outline>({ maxSize: 50_000_000, sizeCalculation: memoryOf });

/** The outline of a version. Undefined if the version was deleted meanwhile. */
export async function outlineOfVersion({ db }: Context, versionId: string): Promise<Outline | undefined> {
  const cached = outlines.get(versionId);
  if (cached) return cached;
  const row = await db
    .selectFrom('openapi_spec_version')
    .where('id', '=', versionId)
    .select('outline')
    .executeTakeFirst();
  if (row) outlines.set(versionId, row.outline);
  return row?.outline;
}
