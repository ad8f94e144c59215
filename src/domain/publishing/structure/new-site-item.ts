import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { newId } from '../../../platform/ids/ids.ts';
import type { SiteItemRow, SiteNavigation } from '../navigation/index.ts';
import { lastRank } from './ranks.ts';

const PREFIXES = { section: 'section', group: 'sectiongroup', link: 'externallink' } as const;

type NewItem = Pick<Row<'site_item'>, 'organizationId' | 'siteId' | 'kind' | 'title'> & Partial<Row<'site_item'>>;

/** Adds a section, group or link to a locked site, by default at the end of its level. Returns its id. */
export async function insertSiteItem(ctx: Context, structure: SiteNavigation, item: NewItem): Promise<string> {
  const [id, now] = [newId(PREFIXES[item.kind]), nowOf(ctx)];
  const rank = lastRank(structure.itemsIn(item.groupId ?? null));
  await ctx.db
    .insertInto('site_item')
    .values({ rank, ...item, id, createdAt: now, updatedAt: now })
    .execute();
  return id;
}

/** The group that an input names, or null for the root. BAD_USER_INPUT if the site has no such group. */
export function groupNamed(
  structure: SiteNavigation,
  groupId: string | null | undefined,
  property: string,
): SiteItemRow | null {
  if (groupId == null) return null;
  const group = structure.item(groupId);
  if (group?.kind === 'group') return group;
  throw badInput([property], `"${groupId}" is not a section group of this site.`, 'NOT_FOUND');
}
