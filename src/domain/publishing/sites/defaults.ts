import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';

/** Makes a site space the default of its level. False if it is not in this level. The site must be locked. */
export async function makeDefaultSiteSpace(
  ctx: Context,
  { siteId, sectionId, siteSpaceId }: { siteId: string; sectionId: string | null; siteSpaceId: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with level as (
      select l.id from site_space l where l.site_id = ${siteId} and l.section_id is not distinct from ${sectionId}),
    changed as (
      update site_space set is_default = not is_default, updated_at = ${nowOf(ctx)}
      where id in (select id from level) and ${siteSpaceId} in (select id from level)
        and is_default <> (id = ${siteSpaceId}))
    select id from level where id = ${siteSpaceId}`.execute(ctx.db);
  return rows.length > 0;
}

/**
 * Makes a section the default of its site. BAD_USER_INPUT if the site has no such section, CONFLICT if one of its
 * spaces has the path of another section, since both would be at the root. The site must be locked.
 */
export async function makeDefaultSection(ctx: Context, siteId: string, sectionId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with sections as (select i.id from site_item i where i.site_id = ${siteId} and i.kind = 'section'),
    changed as (
      update site_item set is_default = not is_default, updated_at = ${nowOf(ctx)}
      where id in (select id from sections) and ${sectionId} in (select id from sections)
        and is_default <> (id = ${sectionId}))
    select id from sections where id = ${sectionId}`.execute(ctx.db);
  if (rows.length === 0)
    throw badInput(['defaultSiteSectionId'], `"${sectionId}" is not a section of this site.`, 'NOT_FOUND');
  const shared = await sql<{ path: string }>`
    select l.path from site_space l
    join site_item i on i.site_id = l.site_id and i.kind = 'section' and i.path = l.path and i.id <> l.section_id
    where l.site_id = ${siteId} and l.section_id = ${sectionId} and not l.is_default limit 1`.execute(ctx.db);
  const [clash] = shared.rows;
  if (clash) {
    throw conflict(
      `A space of the section and another section have the path "${clash.path}", but both would be at the root. Change one of them.`,
    );
  }
}
