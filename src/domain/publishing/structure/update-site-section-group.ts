import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { SiteItem } from '../navigation/index.ts';
import { authorizeItem, editSiteOf, itemIn, recordStructure } from './editing.ts';
import { groupTitle, itemIcon, siteArguments, siteSectionGroupId } from './settings.ts';

const needed = permissions.updateSiteSectionGroup.site;

/** Settings whose changes events record. */
const SETTINGS = ['title', 'icon'] as const;

export const updateSiteSectionGroup = command({
  name: 'updateSiteSectionGroup',
  scope: 'publish',
  description: 'Updates a group of sections of a site. Omitted fields keep their values.',
  input: z.object({ siteSectionGroupId, ...siteArguments, title: groupTitle.optional(), icon: itemIcon.nullish() }),
  versioned: 'siteSectionGroupId',
  authorize: authorizeItem('section group', 'siteSectionGroupId', needed),
  async run(ctx, { siteSectionGroupId: id, title, icon, ...name }) {
    const { site, item } = itemIn(ctx, await editSiteOf(ctx, id, name, needed), 'group', id);
    const ids = { siteId: site.id, siteSectionGroupId: id };
    if (title === undefined && icon === undefined) return ids;
    const entity = entityFromRow(ctx, SiteItem, item);
    const changed = watchSettings(entity, SETTINGS);
    ctx.em.assign(entity, { title, icon, updatedAt: nowOf(ctx) });
    await recordStructure(ctx, site, { siteSectionGroupId: id }, changed());
    return ids;
  },
});
