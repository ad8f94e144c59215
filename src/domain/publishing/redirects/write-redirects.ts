import type { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { jsonColumn } from '../../../platform/database/json-column.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import type { StoredDestination } from './destination.ts';
import { MAX_SITE_REDIRECTS, tooManyRedirects } from './settings.ts';
import { sourceKey } from './source.ts';

/** Maximum number of redirects that one call writes. */
export const MAX_ROWS = 500;

export const upsertOutcome = namedEnum('SiteRedirectOutcome', 'Result of an action on a redirect.', {
  created: 'The redirect was created.',
  updated: 'The redirect was replaced.',
  deleted: 'The redirect was deleted.',
  published: 'The draft is the live redirect now.',
  error: 'The redirect was left unchanged.',
});

/** Result of an action on one of several redirects. */
export interface RedirectResult {
  status: z.output<typeof upsertOutcome>;
  source: string;
  draft: boolean;
  id?: string | undefined;
  error?: string | undefined;
}

/** Fault of a redirect, for its result. Throws all other errors. */
export function redirectFault(error: unknown): string {
  if (!(error instanceof ApiError) || error.code !== 'BAD_USER_INPUT') throw error;
  return error.issues[0]?.message ?? error.message;
}

/** A change of the redirect of a source. */
export type RedirectChange =
  | ({ kind: 'put'; source: string; draft: boolean; destination: StoredDestination } & RedirectFlags)
  | { kind: 'delete'; source: string; draft: boolean }
  | { kind: 'publish'; source: string }
  /** A redirect that cannot be written, with the reason. */
  | { kind: 'none'; source: string; draft: boolean; error: string };

interface RedirectFlags {
  captureWildcard?: boolean | null | undefined;
  /** If it is not given, a redirect that exists stays as it is. */
  permanent?: boolean | null | undefined;
}

/**
 * Writes redirects of a site, which the caller has locked, in a few statements whatever their number. The results are
 * in the order of the changes. CONFLICT if the site then has too many.
 */
export async function writeRedirects(
  ctx: Context,
  { id: siteId, organizationId }: { id: string; organizationId: string },
  changes: readonly RedirectChange[],
): Promise<RedirectResult[]> {
  const writing = new Writing(ctx, { siteId, organizationId }, await redirectsNow(ctx, siteId));
  const results = changes.map((change) => writing.take(change));
  await writing.write();
  if (results.some(({ status }) => status !== 'error')) {
    const ids = { siteId };
    await recordEvent(ctx, { kind: 'site_redirects_updated', organizationId, ids, changes: numbersOf(results) });
  }
  return results;
}

/** Numbers of redirects by outcome, for the event of them all. */
function numbersOf(results: readonly RedirectResult[]) {
  const successes = results.filter(({ status }) => status !== 'error');
  const byStatus = Map.groupBy(successes, ({ status }) => status);
  return settingsSet(Object.fromEntries([...byStatus].map(([status, { length }]) => [status, length])));
}

interface StoredRedirect {
  id: string;
  source: string;
  isDraft: boolean;
  captureWildcard: boolean;
  isPermanent: boolean;
  destination: StoredDestination;
  /** Null for one that is created now. */
  createdAt: string | null;
  /** Rows are written anew, so that no trigger raises it. */
  version: number;
}

function nameOf(source: string, isDraft: boolean): string {
  const { key, isWildcard } = sourceKey(source);
  return `${key} ${isWildcard} ${isDraft}`;
}

/** Those with a canonical key are last, so that they are the ones that changes of the same path replace. */
async function redirectsNow({ db }: Context, siteId: string): Promise<StoredRedirect[]> {
  const rows = await db
    .selectFrom('site_redirect')
    .where('siteId', '=', siteId)
    .select(['id', 'source', 'key', 'isDraft', 'captureWildcard', 'isPermanent', 'destination', 'createdAt', 'version'])
    .execute();
  const isCanonical = ({ source, key }: { source: string; key: string }) => sourceKey(source).key === key;
  return [...rows.filter((row) => !isCanonical(row)), ...rows.filter(isCanonical)].map(({ key: _, ...row }) => row);
}

/** Collects changes of redirects, and writes them in two statements. */
class Writing {
  readonly #ctx: Context;
  readonly #site: { siteId: string; organizationId: string };
  readonly #redirects: Map<string, StoredRedirect>;
  readonly #removed = new Set<string>();
  readonly #upserts = new Map<string, StoredRedirect>();

  constructor(ctx: Context, site: { siteId: string; organizationId: string }, redirects: StoredRedirect[]) {
    this.#ctx = ctx;
    this.#site = site;
    this.#redirects = new Map(redirects.map((redirect) => [nameOf(redirect.source, redirect.isDraft), redirect]));
  }

  take(change: RedirectChange): RedirectResult {
    const { kind, source } = change;
    if (kind === 'put') return this.#put(change);
    if (kind === 'delete') return this.#delete(source, change.draft);
    if (kind === 'publish') return this.#publish(source);
    return { status: 'error', source, draft: change.draft, error: change.error };
  }

  /** Rows that are replaced are removed first, since a source can change its case. */
  async write(): Promise<void> {
    if (this.#redirects.size > MAX_SITE_REDIRECTS) throw tooManyRedirects();
    const { db } = this.#ctx;
    const ids = [...this.#removed];
    if (ids.length > 0) await db.deleteFrom('site_redirect').where('id', 'in', ids).execute();
    const rows = [...this.#upserts.values()];
    if (rows.length === 0) return;
    const now = nowOf(this.#ctx);
    await db
      .insertInto('site_redirect')
      .values(
        rows.map(({ destination, ...redirect }) => ({
          ...this.#site,
          ...redirect,
          ...sourceKey(redirect.source),
          destination: jsonColumn(destination),
          createdAt: redirect.createdAt ?? now,
          updatedAt: now,
        })),
      )
      .execute();
  }

  #put(change: Extract<RedirectChange, { kind: 'put' }>): RedirectResult {
    const { source, draft, destination } = change;
    const before = this.#take(source, draft);
    const id = before?.id ?? newId('redirect');
    this.#set({
      id,
      source,
      isDraft: draft,
      captureWildcard: change.captureWildcard ?? false,
      isPermanent: change.permanent ?? before?.isPermanent ?? false,
      destination,
      createdAt: before?.createdAt ?? null,
      version: (before?.version ?? 0) + 1,
    });
    return { status: before ? 'updated' : 'created', source, draft, id };
  }

  #delete(source: string, draft: boolean): RedirectResult {
    if (!this.#take(source, draft)) {
      return { status: 'error', source, draft, error: 'No redirect from this path exists.' };
    }
    return { status: 'deleted', source, draft };
  }

  #publish(source: string): RedirectResult {
    const redirect = this.#take(source, true);
    if (!redirect) return { status: 'error', source, draft: true, error: 'No draft from this path exists.' };
    this.#take(source, false);
    this.#set({ ...redirect, isDraft: false, version: redirect.version + 1 });
    return { status: 'published', source, draft: false, id: redirect.id };
  }

  /** Removes the redirect of a source. */
  #take(source: string, isDraft: boolean): StoredRedirect | undefined {
    const name = nameOf(source, isDraft);
    const redirect = this.#redirects.get(name);
    if (!redirect) return undefined;
    this.#redirects.delete(name);
    this.#removed.add(redirect.id);
    this.#upserts.delete(redirect.id);
    return redirect;
  }

  #set(redirect: StoredRedirect): void {
    this.#redirects.set(nameOf(redirect.source, redirect.isDraft), redirect);
    this.#upserts.set(redirect.id, redirect);
  }
}
