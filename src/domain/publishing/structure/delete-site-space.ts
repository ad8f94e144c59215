import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeItem, editSiteOf, orAbsent, recordStructure, siteSpaceIn } from './editing.ts';
import { removeSiteSpace } from './remove-site-space.ts';
import { siteArguments, siteSpaceId } from './settings.ts';

const needed = permissions.deleteSiteSpace.site;

export const deleteSiteSpace = command({
  name: 'deleteSiteSpace',
  scope: 'publish',
  description:
    'Removes a space from a site. The space itself is kept. If it is the default of its level, the next one becomes the default. BAD_USER_INPUT if it is the last one of a section.',
  input: z.object({ siteSpaceId, ...siteArguments }),
  versioned: 'siteSpaceId',
  authorize: authorizeItem('site space', 'siteSpaceId', needed, { isDeletion: true }),
  async run(ctx, { siteSpaceId: id, ...name }) {
    const editing = await editSiteOf(ctx, id, name, needed, { changesAccess: true });
    const target = await orAbsent(() => siteSpaceIn(ctx, editing, id));
    if (!target) return { deletedId: null, siteId: null };
    const { site, structure, siteSpace } = target;
    const { sectionId } = siteSpace;
    if (sectionId !== null && structure.siteSpacesIn(sectionId).length === 1) {
      throw badInput(['siteSpaceId'], 'A section needs at least one space. Delete the section instead.');
    }
    await removeSiteSpace(ctx, structure, siteSpace);
    await recordStructure(ctx, site, { siteSpaceId: id });
    return { deletedId: id, siteId: site.id };
  },
});
