import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeItem, editSiteOf, recordStructure, siteSpaceIn } from './editing.ts';
import { moveAmong, structurePosition } from './ranks.ts';
import { siteArguments, siteSpaceId } from './settings.ts';

const needed = permissions.moveSiteSpace.site;

export const moveSiteSpace = command({
  name: 'moveSiteSpace',
  scope: 'publish',
  description:
    'Moves a space among the spaces of its section, or of the root. CONFLICT if it already has the position.',
  input: z.object({ siteSpaceId, ...siteArguments, position: structurePosition }),
  versioned: 'siteSpaceId',
  authorize: authorizeItem('site space', 'siteSpaceId', needed),
  async run(ctx, { siteSpaceId: id, position, ...name }) {
    const { site, structure, siteSpace } = await siteSpaceIn(ctx, await editSiteOf(ctx, id, name, needed), id);
    const changes = await moveAmong(ctx, 'site_space', structure.siteSpacesIn(siteSpace.sectionId), { id, position });
    await recordStructure(ctx, site, { siteSpaceId: id }, changes);
    return { siteId: site.id, siteSpaceId: id };
  },
});
