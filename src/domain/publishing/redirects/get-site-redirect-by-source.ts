import { z } from 'zod';
import { notFound } from '../../../platform/errors/errors.ts';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, shareKey, siteFor, siteName } from '../sites/index.ts';
import { matchRedirect } from './match-redirect.ts';

const needed = permissions.getSiteRedirectBySource.site;

export const getSiteRedirectBySource = query({
  name: 'getSiteRedirectBySource',
  description:
    'Gets the live redirect for a path of a site. The former path of a page that was renamed or moved comes first, then a redirect of an imported `.gitbook.yaml`, then the redirect of the path itself, and then the longest that ends in `*` and matches. NOT_FOUND if there is none, or if its destination no longer exists.',
  openToAnonymous: true,
  input: z.object({
    ...siteName,
    source: z.string().min(1).max(2048).describe('Path on the site, such as `/old/page`.'),
    shareKey,
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { source, shareKey: key, ...name }) {
    const { id: siteId } = await siteFor(ctx, name, needed, { shareKey: key });
    const match = await matchRedirect(ctx, siteId, source);
    if (!match) throw notFound('redirect from', source);
    return match;
  },
});
