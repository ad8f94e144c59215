import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { structureFor } from '../navigation/index.ts';
import { authorizeSite, shareKey, siteFor, siteName } from '../sites/index.ts';
import { placedList } from './placed-list.ts';

const needed = permissions.listSiteSections.site;

export const sectionsOfSite = (ctx: Context, siteId: string) =>
  placedList(ctx, `site.sections:${siteId}`, async () => (await structureFor(ctx, siteId)).sections);

export const listSiteSections = query({
  name: 'listSiteSections',
  description: 'Lists the sections of a site in the order of its navigation.',
  openToAnonymous: true,
  input: z.object({ ...siteName, shareKey }),
  authorize: authorizeSite(needed),
  async run(ctx, { shareKey: key, ...name }) {
    const { id } = await siteFor(ctx, name, needed, { shareKey: key });
    return sectionsOfSite(ctx, id);
  },
});
