import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { jsonColumn } from '../../../platform/database/json-column.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { checkedDestination, redirectDestination } from './destination.ts';
import { captureWildcard, draft, MAX_SITE_REDIRECTS, permanent, settingsOf, tooManyRedirects } from './settings.ts';
import { redirectSource, sourceKey } from './source.ts';

const needed = permissions.createSiteRedirect.site;

export const createSiteRedirect = command({
  name: 'createSiteRedirect',
  scope: 'publish',
  description:
    'Redirects a path of a site. CONFLICT if the path already has a redirect or, when creating a draft, a draft.',
  input: z.object({
    ...siteName,
    source: redirectSource,
    destination: redirectDestination,
    captureWildcard,
    permanent,
    draft,
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { source, destination, ...input }) {
    const site = await siteFor(ctx, input, needed, { lock: 'for no key update' });
    const { id: siteId, organizationId } = site;
    if ((await redirectsOf(ctx, siteId)) >= MAX_SITE_REDIRECTS) throw tooManyRedirects();
    const [id, now] = [newId('redirect'), nowOf(ctx)];
    const redirect = await ctx.db
      .insertInto('site_redirect')
      .values({
        id,
        organizationId,
        siteId,
        source,
        ...sourceKey(source),
        isDraft: input.draft ?? false,
        captureWildcard: input.captureWildcard ?? false,
        isPermanent: input.permanent ?? false,
        destination: jsonColumn(await checkedDestination(ctx, siteId, destination)),
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const ids = { siteId, siteRedirectId: id };
    const changes = settingsSet(settingsOf(redirect));
    await recordEvent(ctx, { kind: 'site_redirects_updated', organizationId, ids, changes });
    return redirect;
  },
});

async function redirectsOf({ db }: Context, siteId: string): Promise<number> {
  const { count } = await db
    .selectFrom('site_redirect')
    .where('siteId', '=', siteId)
    .select((redirect) => redirect.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
