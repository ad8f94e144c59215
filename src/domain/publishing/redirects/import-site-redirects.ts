import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { checkedDestination, destinationAt, type StoredDestination } from './destination.ts';
import { type RedirectRowOfFile, redirectRowsIn } from './redirect-rows.ts';
import { MAX_ROWS, type RedirectChange, redirectFault, writeRedirects } from './write-redirects.ts';

const needed = permissions.importSiteRedirects.site;

/** Length of the text, in UTF-16 units: more than 500 rows of a usual length. */
const MAX_LENGTH = 300_000;

export const importSiteRedirects = command({
  name: 'importSiteRedirects',
  scope: 'publish',
  description: `Creates or replaces up to ${MAX_ROWS} redirects of a site from comma-separated values. A row that cannot be written has the outcome \`error\`; the other rows are still written.`,
  input: z.object({
    ...siteName,
    csv: z
      .string()
      .min(1, 'must not be empty')
      .max(MAX_LENGTH, `must be at most ${MAX_LENGTH} characters long`)
      .describe(
        'Comma-separated values (RFC 4180) with a row for each redirect: its source, and its destination (a path of the site or a URL). The first row can name the columns: `source`, `destination` and optionally `permanent`, `capture_wildcard` and `draft`, with the values `true` or `false`. ' +
          `Up to ${MAX_ROWS} redirects and ${MAX_LENGTH.toLocaleString('en')} characters.`,
      ),
  }),
  versioned: 'siteId',
  authorize: authorizeSite(needed),
  prepare: async (ctx, { csv, ...name }) => {
    await siteFor(ctx, name, needed);
    return redirectRowsIn(csv);
  },
  async run(ctx, { csv: _read, ...name }, rows) {
    const site = await siteFor(ctx, name, needed, { lock: 'for no key update' });
    const changes = await Promise.all(rows.map((row) => changeOf(ctx, site.id, row)));
    return { siteId: site.id, results: await writeRedirects(ctx, site, changes) };
  },
});

async function changeOf(ctx: Context, siteId: string, row: RedirectRowOfFile): Promise<RedirectChange> {
  const { source, draft, captureWildcard, permanent, error } = row;
  if (error !== undefined) return { kind: 'none', source, draft, error };
  const destination = await destinationOf(ctx, siteId, row.destination).catch(redirectFault);
  if (typeof destination === 'string') return { kind: 'none', source, draft, error: destination };
  return { kind: 'put', source, draft, destination, captureWildcard, permanent };
}

const destinationOf = (ctx: Context, siteId: string, destination: string): Promise<StoredDestination> =>
  destination.startsWith('/')
    ? destinationAt(ctx, siteId, destination, ['csv'])
    : checkedDestination(ctx, siteId, { url: destination }, ['csv']);
