import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { conditionsInSql, executeRows, withConditions } from '../../people/access/index.ts';
import type { SearchedSpace, TitledSpace } from './scope.ts';
import { withHiddenPages } from './with-hidden-pages.ts';

/** The spaces of an organization that the caller can view. */
export const viewableSpaces = async (ctx: Context, organizationId: string): Promise<TitledSpace[]> =>
  withHiddenPages(ctx, await readSpaces(ctx, organizationId));

const readSpaces = (ctx: Context, organizationId: string): Promise<TitledSpace[]> =>
  withConditions(ctx, organizationId, async (conditions) => {
    const rows = await executeRows<TitledSpace & { version: string; isFound: boolean | null }>(
      ctx,
      sql`
        select av.version, v.id, v.title, v.language, v."findsAll", v."findsAll" or v."isShown" as "isFound"
        from access_version av
        left join (
          select s.id, s.title, s.organization_id, s.language, ${conditions.space('s', 'read')} as "findsAll",
            ${conditions.shown('s')} as "isShown"
          from space s where s.organization_id = ${organizationId} and s.deleted_at is null offset 0
        ) v on v."findsAll" or v."isShown"
        where av.organization_id = ${organizationId}`,
    );
    return { version: rows[0]?.version, result: rows.filter(({ isFound }) => isFound) };
  });

/** The same for many organizations in one statement. Organizations without such spaces are absent. */
export async function viewableSpacesOf(
  ctx: Context,
  organizationIds: readonly string[],
): Promise<Map<string, SearchedSpace[]>> {
  const [organizationId] = organizationIds;
  if (organizationId === undefined) return new Map();
  if (organizationIds.length === 1) return new Map([[organizationId, await viewableSpaces(ctx, organizationId)]]);
  const conditions = conditionsInSql(ctx);
  const rows = await executeRows<SearchedSpace & { organizationId: string }>(
    ctx,
    sql`
      select v.id, v.organization_id as "organizationId", v.language, v."findsAll"
      from (
        select s.id, s.organization_id, s.language, ${conditions.space('s', 'read')} as "findsAll",
          ${conditions.shown('s')} as "isShown"
        from space s where s.organization_id = any(${organizationIds as string[]}::text[]) and s.deleted_at is null offset 0
      ) v where v."findsAll" or v."isShown"`,
  );
  return Map.groupBy(await withHiddenPages(ctx, rows), (row) => row.organizationId);
}
