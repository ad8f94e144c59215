import { z } from 'zod';
import { allUndefined } from '../../../lib/all-undefined.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { SiteSpace } from '../navigation/index.ts';
import { linkableSpaces } from '../sites/index.ts';
import { authorizeItem, editSiteOf, recordStructure, siteSpaceIn } from './editing.ts';
import { pathsBesideSpaces } from './paths.ts';
import { itemCondition, siteArguments, siteSpaceId, siteSpacePath, storedCondition } from './settings.ts';

const needed = permissions.updateSiteSpace.site;

const takenPath = () => conflict('Another space on this level, or a section at the root, has this path.');

constraintMeans('site_space_level_path_unique', takenPath);

/** Settings whose changes events record. */
const SETTINGS = ['path', 'condition', 'spaceId'] as const;

export const updateSiteSpace = command({
  name: 'updateSiteSpace',
  scope: 'publish',
  description: 'Updates a space on a site. Omitted fields keep their values.',
  input: z.object({
    siteSpaceId,
    ...siteArguments,
    path: siteSpacePath.optional(),
    condition: itemCondition.nullish(),
    spaceId: idOf('space').optional().describe('ID of the space to show instead. Requires `create` on it.'),
  }),
  versioned: 'siteSpaceId',
  authorize: authorizeItem('site space', 'siteSpaceId', needed),
  async run(ctx, { siteSpaceId: id, path, condition: newCondition, spaceId, ...name }) {
    const changesAccess = spaceId !== undefined || newCondition !== undefined;
    const editing = await editSiteOf(ctx, id, name, needed, { changesAccess });
    const { site, siteSpace, structure } = await siteSpaceIn(ctx, editing, id);
    const ids = { siteId: site.id, siteSpaceId: id };
    if (spaceId !== undefined) {
      const { organizationId } = site;
      await linkableSpaces(ctx, { organizationId, spaceIds: [spaceId] }, () => ['spaceId']);
    }
    const changes = { path, condition: storedCondition(newCondition), spaceId };
    if (allUndefined(changes)) return ids;
    const isTaken = path !== undefined && pathsBesideSpaces(structure, siteSpace.sectionId).has(path);
    if (isTaken && path !== siteSpace.path) throw takenPath();
    const entity = entityFromRow(ctx, SiteSpace, siteSpace);
    const changed = watchSettings(entity, SETTINGS);
    ctx.em.assign(entity, { ...changes, updatedAt: nowOf(ctx) });
    await recordStructure(ctx, site, { siteSpaceId: id }, changed());
    return ids;
  },
});
