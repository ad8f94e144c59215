import { z } from 'zod';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { duplicateSpace } from '../../places/spaces/index.ts';
import { authorizeItem, editSiteOf, recordStructure, siteSpaceIn } from './editing.ts';
import { insertSiteSpace } from './new-site-space.ts';
import { rejectTooManySpaces, siteArguments, siteSpaceId } from './settings.ts';

const needed = permissions.duplicateSiteSpace.site;

export const duplicateSiteSpace = command({
  name: 'duplicateSiteSpace',
  scope: 'publish',
  description:
    'Duplicates a space of a site like `duplicateSpace`, with the permission that this requires, and places the copy after it on the site.',
  input: z.object({ siteSpaceId, ...siteArguments }),
  authorize: authorizeItem('site space', 'siteSpaceId', needed),
  async run(ctx, { siteSpaceId: id, ...name }) {
    const editing = await editSiteOf(ctx, id, name, needed, { changesAccess: true });
    const { site, structure, siteSpace } = await siteSpaceIn(ctx, editing, id);
    rejectTooManySpaces(structure);
    const { space } = await duplicateSpace(ctx, { spaceId: siteSpace.spaceId });
    const siteSpaceId = await insertSiteSpace(ctx, structure, {
      siteId: site.id,
      sectionId: siteSpace.sectionId,
      space,
      afterId: id,
    });
    const settings = { spaceId: space.id, siteSectionId: siteSpace.sectionId };
    await recordStructure(ctx, site, { siteSpaceId }, settingsSet(settings));
    return { siteId: site.id, siteSpaceId };
  },
});
