import { z } from 'zod';
import { allUndefined } from '../../../lib/all-undefined.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import { permissions } from '../../people/access/index.ts';
import type { SiteItemRow, SiteNavigation } from '../navigation/index.ts';
import { SiteItem } from '../navigation/index.ts';
import { authorizeItem, editSiteOf, itemIn, recordStructure } from './editing.ts';
import { groupNamed } from './new-site-item.ts';
import { lastRank } from './ranks.ts';
import {
  externalLinkTitle,
  itemCondition,
  itemDescription,
  itemIcon,
  siteArguments,
  siteExternalLinkId,
  storedCondition,
} from './settings.ts';

const needed = permissions.updateSiteExternalLink.site;

/** Settings whose changes events record. */
const SETTINGS = ['title', 'description', 'icon', 'url', 'condition', 'groupId'] as const;

export const updateSiteExternalLink = command({
  name: 'updateSiteExternalLink',
  scope: 'publish',
  description: 'Updates an external link of a site. Omitted fields keep their values.',
  input: z.object({
    siteExternalLinkId,
    ...siteArguments,
    title: externalLinkTitle.optional(),
    description: itemDescription.nullish(),
    icon: itemIcon.nullish(),
    url: webAddress().optional().describe('URL of the link, up to 2,048 characters.'),
    parentId: idOf('sectiongroup')
      .nullish()
      .describe('ID of the section group to move it to, at the end. Null for the root.'),
    condition: itemCondition.nullish(),
  }),
  versioned: 'siteExternalLinkId',
  authorize: authorizeItem('external link', 'siteExternalLinkId', needed),
  async run(ctx, { siteExternalLinkId: id, siteId: owner, organizationId, parentId, ...settings }) {
    const changesAccess = settings.condition !== undefined;
    const editing = await editSiteOf(ctx, id, { siteId: owner, organizationId }, needed, { changesAccess });
    const { site, structure, item } = itemIn(ctx, editing, 'link', id);
    const ids = { siteId: site.id, siteExternalLinkId: id };
    const changes = {
      ...settings,
      condition: storedCondition(settings.condition),
      ...placeIn(structure, item, parentId),
    };
    if (allUndefined(changes)) return ids;
    const entity = entityFromRow(ctx, SiteItem, item);
    const changed = watchSettings(entity, SETTINGS);
    ctx.em.assign(entity, { ...changes, updatedAt: nowOf(ctx) });
    await recordStructure(ctx, site, { siteExternalLinkId: id }, changed());
    return ids;
  },
});

/** The group and rank of a link that moves to another group. Empty if it stays. */
function placeIn(structure: SiteNavigation, item: SiteItemRow, parentId: string | null | undefined) {
  if (parentId === undefined) return {};
  const groupId = groupNamed(structure, parentId, 'parentId')?.id ?? null;
  return groupId === item.groupId ? {} : { groupId, rank: lastRank(structure.itemsIn(groupId)) };
}
