import { sql } from 'kysely';
import { z } from 'zod';
import { ranksBetween } from '../../../lib/rank.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import type { SiteItemRow, SiteNavigation } from '../navigation/index.ts';
import { authorizeSite, siteName } from '../sites/index.ts';
import { editSite, recordStructure } from './editing.ts';
import { groupNamed, insertSiteItem } from './new-site-item.ts';
import { setRanks } from './ranks.ts';
import { withRootInSection } from './root-section.ts';
import { groupTitle, itemIcon, MAX_GROUP_DEPTH, rejectTooManyItems } from './settings.ts';

const needed = permissions.addSiteSectionGroup.site;
const MAX_SECTIONS = 200;

export const addSiteSectionGroup = command({
  name: 'addSiteSectionGroup',
  scope: 'publish',
  description: `Adds a group of sections to a site. Spaces at the root of the site move into a default section with the title of the site. Groups can be nested up to ${MAX_GROUP_DEPTH} levels deep.`,
  input: z.object({
    ...siteName,
    title: groupTitle,
    icon: itemIcon.nullish(),
    sectionIds: z
      .array(idOf('section'))
      .max(MAX_SECTIONS, `must be at most ${MAX_SECTIONS} sections`)
      .nullish()
      .describe(`IDs of up to ${MAX_SECTIONS} sections of the site that move into the group, in this order.`),
    parentId: idOf('sectiongroup')
      .nullish()
      .describe('ID of the section group that contains it. By default, the root.'),
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { title, icon, sectionIds, parentId, ...name }) {
    const { site, structure: before } = await editSite(ctx, name, needed, { changesAccess: true });
    rejectTooManyItems(before);
    const parent = groupNamed(before, parentId, 'parentId');
    if (depthOf(before, parent) >= MAX_GROUP_DEPTH) {
      throw badInput(['parentId'], `Groups can be nested up to ${MAX_GROUP_DEPTH} levels deep.`);
    }
    const moved = [...new Set(sectionIds ?? [])];
    moved.forEach((id, index) => {
      if (before.item(id)?.kind === 'section') return;
      throw badInput(['sectionIds', index], `"${id}" is not a section of this site.`, 'NOT_FOUND');
    });
    const structure = await withRootInSection(ctx, site, before);
    const { id: siteId, organizationId } = site;
    const siteSectionGroupId = await insertSiteItem(ctx, structure, {
      kind: 'group',
      organizationId,
      siteId,
      title,
      icon: icon ?? null,
      groupId: parent?.id ?? null,
    });
    const ranks = ranksBetween(null, null, moved.length);
    await setRanks(
      ctx,
      'site_item',
      moved.map((id, index) => ({ id, rank: ranks[index] ?? '' })),
      sql`, group_id = ${siteSectionGroupId}, updated_at = ${nowOf(ctx)}`,
    );
    const settings = { title, icon, groupId: parent?.id, siteSectionIds: moved.length > 0 ? moved : undefined };
    await recordStructure(ctx, site, { siteSectionGroupId }, settingsSet(settings));
    return { siteId, siteSectionGroupId };
  },
});

/** Number of groups from the root down to this one. */
function depthOf(structure: SiteNavigation, group: SiteItemRow | null | undefined): number {
  if (!group) return 0;
  return 1 + depthOf(structure, group.groupId === null ? null : structure.item(group.groupId));
}
