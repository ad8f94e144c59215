import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { namedEnum } from '../../../platform/named-enum.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { checkedDestination, redirectDestination, type StoredDestination } from './destination.ts';
import { captureWildcard, MAX_REDIRECTS, permanent, tooManyRedirects } from './settings.ts';
import { redirectSource, sourceKey } from './source.ts';

const needed = permissions.upsertSiteRedirects.site;

/** Maximum number of redirects in one call. */
const MAX_ROWS = 500;

const redirectIntent = namedEnum('SiteRedirectIntent', 'What to do with a redirect.', {
  live: 'Create or replace the live redirect.',
  draft: 'Create or replace the draft.',
  publish: 'Make the draft the live redirect.',
});

export const upsertOutcome = namedEnum('SiteRedirectOutcome', 'What was done with a redirect.', {
  created: 'The redirect was created.',
  updated: 'The redirect was replaced.',
  deleted: 'The redirect was deleted.',
  published: 'The draft is the live redirect now.',
  error: 'Nothing was done.',
});

const row = z
  .object({
    source: redirectSource,
    intent: redirectIntent.nullish().describe('What to do with the redirect. By default, it is live.'),
    destination: redirectDestination.nullish().describe('Where the redirect leads. Null deletes the redirect.'),
    captureWildcard,
    permanent,
  })
  .meta({ inputName: 'SiteRedirectRowInput', description: 'A redirect to create, replace, delete or publish.' });

export const upsertSiteRedirects = command({
  name: 'upsertSiteRedirects',
  description: `Creates, replaces, deletes or publishes up to ${MAX_ROWS} redirects of a site, each by its source. A redirect that cannot be written has the outcome \`error\` and does not prevent the others.`,
  input: z.object({
    ...siteName,
    redirects: z
      .array(row)
      .min(1, 'must not be empty')
      .max(MAX_ROWS, `must be at most ${MAX_ROWS} redirects`)
      .describe(`Up to ${MAX_ROWS} redirects. Of several with the same source and intent, the last one counts.`),
  }),
  versioned: 'siteId',
  authorize: authorizeSite(needed),
  async run(ctx, { redirects, ...name }) {
    const { id: siteId, organizationId } = await siteFor(ctx, name, needed, { lock: 'for no key update' });
    const writing = new Writing(ctx, { siteId, organizationId }, await redirectsNow(ctx, siteId));
    const results: Result[] = [];
    for (const [index, each] of redirects.entries()) results.push(await writing.take(each, index));
    await writing.write();
    if (results.some(({ status }) => status !== 'error')) {
      await recordEvent(ctx, { kind: 'site_redirects_updated', organizationId, ids: { siteId } });
    }
    return { siteId, results };
  },
});

export interface Result {
  status: z.output<typeof upsertOutcome>;
  source: string;
  draft: boolean;
  id?: string | undefined;
  error?: string | undefined;
}

interface Known {
  id: string;
  source: string;
  isDraft: boolean;
  captureWildcard: boolean;
  isPermanent: boolean;
  destination: StoredDestination;
}

const nameOf = (source: string, isDraft: boolean) => `${source.toLowerCase()} ${isDraft}`;

async function redirectsNow({ db }: Context, siteId: string): Promise<Known[]> {
  return db
    .selectFrom('site_redirect')
    .where('siteId', '=', siteId)
    .select(['id', 'source', 'isDraft', 'captureWildcard', 'isPermanent', 'destination'])
    .execute();
}

/** Collects changes of redirects, and writes them in two statements. */
class Writing {
  readonly #ctx: Context;
  readonly #site: { siteId: string; organizationId: string };
  readonly #known: Map<string, Known>;
  readonly #removed = new Set<string>();
  readonly #written = new Map<string, Known>();

  constructor(ctx: Context, site: { siteId: string; organizationId: string }, known: Known[]) {
    this.#ctx = ctx;
    this.#site = site;
    this.#known = new Map(known.map((redirect) => [nameOf(redirect.source, redirect.isDraft), redirect]));
  }

  async take(given: z.output<typeof row>, index: number): Promise<Result> {
    const { source, intent } = given;
    if (intent === 'publish') return this.#publish(source);
    const draft = intent === 'draft';
    if (given.destination == null) return this.#delete(source, draft);
    try {
      const path = ['redirects', index, 'destination'];
      const destination = await checkedDestination(this.#ctx, this.#site.siteId, given.destination, path);
      return this.#put({ ...given, destination, draft });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'BAD_USER_INPUT') throw error;
      return { status: 'error', source, draft, error: error.issues[0]?.message ?? error.message };
    }
  }

  /** Rows that are replaced are removed first, since a source can change its case. */
  async write(): Promise<void> {
    if (this.#known.size > MAX_REDIRECTS) throw tooManyRedirects();
    const { db } = this.#ctx;
    const ids = [...this.#removed];
    if (ids.length > 0) await db.deleteFrom('site_redirect').where('id', 'in', ids).execute();
    const rows = [...this.#written.values()];
    if (rows.length === 0) return;
    const now = nowOf(this.#ctx);
    await db
      .insertInto('site_redirect')
      .values(
        rows.map(({ destination, ...redirect }) => ({
          ...this.#site,
          ...redirect,
          ...sourceKey(redirect.source),
          destination: JSON.stringify(destination) as never,
          createdAt: now,
          updatedAt: now,
        })),
      )
      .execute();
  }

  #put(given: Omit<z.output<typeof row>, 'destination'> & { destination: StoredDestination; draft: boolean }): Result {
    const { source, draft, destination } = given;
    const before = this.#take(source, draft);
    const id = before?.id ?? newId('redirect');
    this.#set({
      id,
      source,
      isDraft: draft,
      captureWildcard: given.captureWildcard ?? false,
      isPermanent: given.permanent ?? before?.isPermanent ?? false,
      destination,
    });
    return { status: before ? 'updated' : 'created', source, draft, id };
  }

  #delete(source: string, draft: boolean): Result {
    if (!this.#take(source, draft)) {
      return { status: 'error', source, draft, error: 'There is no redirect from this path.' };
    }
    return { status: 'deleted', source, draft };
  }

  #publish(source: string): Result {
    const redirect = this.#take(source, true);
    if (!redirect) return { status: 'error', source, draft: true, error: 'There is no draft from this path.' };
    this.#take(source, false);
    this.#set({ ...redirect, isDraft: false });
    return { status: 'published', source, draft: false, id: redirect.id };
  }

  /** Removes the redirect of a source. */
  #take(source: string, isDraft: boolean): Known | undefined {
    const name = nameOf(source, isDraft);
    const found = this.#known.get(name);
    if (!found) return undefined;
    this.#known.delete(name);
    this.#removed.add(found.id);
    this.#written.delete(found.id);
    return found;
  }

  #set(redirect: Known): void {
    this.#known.set(nameOf(redirect.source, redirect.isDraft), redirect);
    this.#written.set(redirect.id, redirect);
  }
}
