import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { command } from '../../../platform/operation/operation.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { checkedDestination, redirectDestination } from './destination.ts';
import { captureWildcard, permanent } from './settings.ts';
import { redirectSource } from './source.ts';
import { MAX_ROWS, type RedirectChange, redirectFault, writeRedirects } from './write-redirects.ts';

const needed = permissions.upsertSiteRedirects.site;

const redirectIntent = namedEnum('SiteRedirectIntent', 'Action on a redirect.', {
  live: 'Create or replace the live redirect.',
  draft: 'Create or replace the draft.',
  publish: 'Make the draft the live redirect.',
});

const row = z
  .object({
    source: redirectSource,
    intent: redirectIntent.nullish().describe('Action on the redirect. By default, `LIVE`.'),
    destination: redirectDestination.nullish().describe('Destination of the redirect. Null deletes the redirect.'),
    captureWildcard,
    permanent,
  })
  .meta({ inputName: 'SiteRedirectRowInput', description: 'A redirect to create, replace, delete or publish.' });

export const upsertSiteRedirects = command({
  name: 'upsertSiteRedirects',
  scope: 'publish',
  description: `Creates, replaces, deletes or publishes up to ${MAX_ROWS} redirects of a site, each by its source. A redirect that cannot be written has the outcome \`error\`; the others are still written.`,
  input: z.object({
    ...siteName,
    redirects: z
      .array(row)
      .min(1, 'must not be empty')
      .max(MAX_ROWS, `must be at most ${MAX_ROWS} redirects`)
      .describe(`Up to ${MAX_ROWS} redirects. If several have the same source and intent, the last one is used.`),
  }),
  versioned: 'siteId',
  authorize: authorizeSite(needed),
  async run(ctx, { redirects, ...name }) {
    const site = await siteFor(ctx, name, needed, { lock: 'for no key update' });
    const changes = await Promise.all(redirects.map((redirect, index) => changeOf(ctx, site.id, redirect, index)));
    return { siteId: site.id, results: await writeRedirects(ctx, site, changes) };
  },
});

async function changeOf(
  ctx: Context,
  siteId: string,
  { intent, destination: input, ...redirect }: z.output<typeof row>,
  index: number,
): Promise<RedirectChange> {
  const { source } = redirect;
  if (intent === 'publish') return { kind: 'publish', source };
  const draft = intent === 'draft';
  if (input == null) return { kind: 'delete', source, draft };
  const destination = await checkedDestination(ctx, siteId, input, ['redirects', index, 'destination']).catch(
    redirectFault,
  );
  if (typeof destination === 'string') return { kind: 'none', source, draft, error: destination };
  return { kind: 'put', ...redirect, draft, destination };
}
