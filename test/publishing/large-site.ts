import { sql } from 'kysely';
import { ranksBetween } from '../../src/lib/rank.ts';
import type { Database } from '../../src/platform/database/tables.ts';
import { newId } from '../../src/platform/ids/ids.ts';

/** Adds sections to a site, each with copies of a space, as rows: requests would take minutes. */
export async function enlarge(
  db: Database,
  siteId: string,
  { spaceId, sections: sectionCount, spaces }: { spaceId: string; sections: number; spaces: number },
): Promise<void> {
  const { organizationId } = await db
    .selectFrom('site')
    .where('id', '=', siteId)
    .select('organizationId')
    .executeTakeFirstOrThrow();
  const now = new Date().toISOString();
  const items = await db
    .selectFrom('site_item')
    .where('siteId', '=', siteId)
    .orderBy('rank', 'desc')
    .select('rank')
    .execute();
  const last = items[0]?.rank ?? null;
  const sections = ranksBetween(last, null, sectionCount).map((rank, index) => ({
    id: newId('section'),
    rank,
    path: `s-${index}`,
  }));
  const links = sections.flatMap(({ id: sectionId }) =>
    ranksBetween(null, null, spaces).map((rank, index) => ({
      id: newId('sitespace'),
      sectionId,
      spaceId: newId('space'),
      rank,
      path: `p-${index}`,
      isDefault: index === 0,
    })),
  );
  await sql`
    insert into space select (jsonb_populate_record(s, jsonb_build_object('id', n.id, 'title', n.id))).*
    from space s, unnest(${links.map((link) => link.spaceId)}::text[]) as n(id) where s.id = ${spaceId}`.execute(db);
  const placed = await db
    .selectFrom('placement')
    .where('parentId', '=', organizationId)
    .orderBy('rank', 'desc')
    .select('rank')
    .executeTakeFirst();
  await sql`
    insert into placement select (jsonb_populate_record(p, jsonb_build_object('item_id', n.id, 'rank', n.rank))).*
    from placement p, unnest(${links.map((link) => link.spaceId)}::text[], ${ranksBetween(placed?.rank ?? null, null, links.length)}::text[]) as n(id, rank)
    where p.item_id = ${spaceId}`.execute(db);
  await db
    .insertInto('site_item')
    .values(
      sections.map((section) => ({
        ...section,
        siteId,
        organizationId,
        kind: 'section' as const,
        title: section.path,
        createdAt: now,
        updatedAt: now,
      })),
    )
    .execute();
  for (let start = 0; start < links.length; start += 500) {
    await db
      .insertInto('site_space')
      .values(
        links
          .slice(start, start + 500)
          .map((link) => ({ ...link, siteId, organizationId, createdAt: now, updatedAt: now })),
      )
      .execute();
  }
  await sql`analyze`.execute(db);
}
