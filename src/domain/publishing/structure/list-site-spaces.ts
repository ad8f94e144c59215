import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import type { SiteNavigation } from '../navigation/index.ts';
import { structureFor } from '../navigation/index.ts';
import { authorizeSite, shareKey, siteFor, siteName } from '../sites/index.ts';
import { defaultOf, defaultSectionOf } from './locate.ts';
import { placedList } from './placed-list.ts';

const needed = permissions.listSiteSpaces.site;

/** Whether a site space is the default of the site: at the root, or in the default section. */
const defaultSiteSpace = (structure: SiteNavigation) =>
  defaultOf(structure.siteSpacesIn(defaultSectionOf(structure)?.id ?? null));

interface Filter {
  default?: boolean | null | undefined;
}

export const siteSpacesOfSite = (ctx: Context, siteId: string, { default: isDefault }: Filter) =>
  placedList(ctx, `site.siteSpaces:${siteId}:${isDefault ?? ''}`, async () => {
    const structure = await structureFor(ctx, siteId);
    if (isDefault == null) return structure.siteSpaces;
    const first = defaultSiteSpace(structure);
    return structure.siteSpaces.filter((row) => (row === first) === isDefault);
  });

export const listSiteSpaces = query({
  name: 'listSiteSpaces',
  description:
    'Lists the spaces of a site in the order of its navigation. Spaces that are deleted or hidden from you are left out.',
  openToAnonymous: true,
  input: z.object({
    ...siteName,
    default: z
      .boolean()
      .nullish()
      .describe('True: only the space that visitors see first. False: only the others. By default, all.'),
    shareKey,
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { default: isDefault, shareKey: key, ...name }) {
    const { id } = await siteFor(ctx, name, needed, { shareKey: key });
    return siteSpacesOfSite(ctx, id, { default: isDefault });
  },
});
