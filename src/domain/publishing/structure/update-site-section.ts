import { z } from 'zod';
import { allUndefined } from '../../../lib/all-undefined.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { settingsBetween, watchSettings } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { SiteItem } from '../navigation/index.ts';
import { makeDefaultSiteSpace } from '../sites/index.ts';
import { authorizeItem, editSiteOf, itemIn, recordStructure } from './editing.ts';
import { pathsBesideSections } from './paths.ts';
import {
  itemCondition,
  itemDescription,
  itemIcon,
  sectionPath,
  sectionTitle,
  siteArguments,
  siteSectionId,
  storedCondition,
} from './settings.ts';

const needed = permissions.updateSiteSection.site;

const takenPath = () => conflict('Another section of the site, or a space of its default section, has this path.');

constraintMeans('site_item_path_unique', takenPath);

/** Settings whose changes events record. */
const SETTINGS = ['title', 'description', 'path', 'icon', 'condition'] as const;

export const updateSiteSection = command({
  name: 'updateSiteSection',
  scope: 'publish',
  description: 'Updates a section of a site. Omitted fields keep their values.',
  input: z.object({
    siteSectionId,
    ...siteArguments,
    title: sectionTitle.optional(),
    description: itemDescription.nullish(),
    path: sectionPath.optional(),
    icon: itemIcon.nullish(),
    condition: itemCondition.nullish(),
    defaultSiteSpaceId: idOf('sitespace')
      .optional()
      .describe('ID of the site space of the section that visitors see first.'),
  }),
  versioned: 'siteSectionId',
  authorize: authorizeItem('site section', 'siteSectionId', needed),
  async run(ctx, { siteSectionId: id, siteId: owner, organizationId, defaultSiteSpaceId, ...settings }) {
    const changesAccess = settings.condition !== undefined;
    const editing = await editSiteOf(ctx, id, { siteId: owner, organizationId }, needed, { changesAccess });
    const { site, structure, item } = itemIn(ctx, editing, 'section', id);
    const ids = { siteId: site.id, siteSectionId: id };
    const changes = { ...settings, condition: storedCondition(settings.condition) };
    if (allUndefined({ ...changes, defaultSiteSpaceId })) return ids;
    const defaultBefore = structure.siteSpacesIn(id).find(({ isDefault }) => isDefault)?.id;
    if (defaultSiteSpaceId !== undefined) {
      const siteSpace = { siteId: site.id, sectionId: id, siteSpaceId: defaultSiteSpaceId };
      if (!(await makeDefaultSiteSpace(ctx, siteSpace)))
        throw badInput(
          ['defaultSiteSpaceId'],
          `"${defaultSiteSpaceId}" is not a site space of this section.`,
          'NOT_FOUND',
        );
    }
    const { path } = settings;
    if (path !== undefined && path !== item.path && pathsBesideSections(structure, item).has(path)) throw takenPath();
    const entity = entityFromRow(ctx, SiteItem, item);
    const changed = watchSettings(entity, SETTINGS);
    ctx.em.assign(entity, { ...changes, updatedAt: nowOf(ctx) });
    await recordStructure(
      ctx,
      site,
      { siteSectionId: id },
      {
        ...changed(),
        ...(defaultSiteSpaceId !== undefined &&
          settingsBetween({ defaultSiteSpaceId: defaultBefore }, { defaultSiteSpaceId })),
      },
    );
    return ids;
  },
});
