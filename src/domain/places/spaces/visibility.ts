import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { type Actor, onlySpacesOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { statement } from '../../../platform/database/statement.ts';
import { batchLoader, type Loader, type MaybePromise } from '../../../platform/reads/loader.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';
import { parentOf } from '../../people/access/index.ts';
import { contentVisibility } from './enums.ts';
import type { PublishedUrls } from './published-urls.ts';

type Visibility = z.infer<typeof contentVisibility>;

/** In the order of the enum, the most public first. */
const WIDEST = contentVisibility.options;

/** Those of sites that everyone can read. */
const OPEN_TO_ALL = ['public', 'unlisted'];

/** Whether everyone can read the spaces of a site with this visibility. */
export const isOpenToAll = (visibility: string): boolean => OPEN_TO_ALL.includes(visibility);

const readVisibilities = statement((db, { spaceIds }: { spaceIds: string[] }) =>
  db
    .selectFrom('site_space as ss')
    .innerJoin('site as si', 'si.id', 'ss.siteId')
    .where('ss.spaceId', '=', anyOf(spaceIds))
    .where('si.isPublished', '=', sql.lit(true))
    .whereRef('si.organizationId', '=', 'ss.organizationId')
    .groupBy('ss.spaceId')
    .select(['ss.spaceId', sql<string>`string_agg(distinct si.visibility::text, ' ')`.as('visibilities')]),
);

const onSites = batchLoader<Visibility>(
  'space:visibility',
  sharedRead(async (db, spaceIds) => {
    const rows = await readVisibilities({ db }, { spaceIds });
    return new Map(
      rows.map(({ spaceId, visibilities }) => [
        spaceId,
        WIDEST.find((each) => visibilities.split(' ').includes(each)) ?? 'private',
      ]),
    );
  }),
);

/**
 * Who can read a space, batched: the visibility of its published site (the most public one of several). Without a site,
 * it depends on the parent collection, if there is one. For an application that is limited to spaces, which sees no
 * collections and no sites, only what everyone can see counts.
 */
export function visibilityOf(ctx: Context, spaceId: string): MaybePromise<Visibility> {
  // Both are read in one tick of the event loop, also for spaces on sites: the others of a list need their parents.
  const [onSite, parentId] = [onSites.peek(ctx, spaceId), parentOf.peek(ctx, spaceId)];
  if (!(onSite instanceof Promise) && !(parentId instanceof Promise)) return visibilityBy(ctx.actor, onSite, parentId);
  return Promise.all([onSite, parentId]).then(([visibility, parent]) => visibilityBy(ctx.actor, visibility, parent));
}

function visibilityBy(actor: Actor, onSite: Visibility | undefined, parentId: string | null | undefined): Visibility {
  if (onlySpacesOf(actor)) return onSite !== undefined && isOpenToAll(onSite) ? onSite : 'private';
  return onSite ?? (parentId ? 'in-collection' : 'private');
}

/**
 * The condition that a space, given the alias of its row, has one of these visibilities for the caller, as
 * `visibilityOf` says.
 */
export const hasVisibility = (actor: Actor, row: string, visibilities: readonly Visibility[]) =>
  onlySpacesOf(actor)
    ? sql<boolean>`coalesce(${siteVisibility(row, sql`si.visibility::text = any(${[...OPEN_TO_ALL]}::text[])`)}, 'private') = any(${[...visibilities]}::text[])`
    : sql<boolean>`coalesce(${siteVisibility(row, sql`true`)},
  case when exists (select from placement vp
    where vp.item_id = ${sql.ref(`${row}.id`)} and vp.parent_id <> vp.organization_id) then 'in-collection' else 'private' end
  ) = any(${[...visibilities]}::text[])`;

const siteVisibility = (row: string, isKnown: RawBuilder<unknown>) => sql`
  (select si.visibility::text from site_space ss join site si on si.id = ss.site_id
    where ss.space_id = ${sql.ref(`${row}.id`)} and si.is_published and si.organization_id = ss.organization_id and ${isKnown}
    order by array_position(${[...WIDEST]}::text[], si.visibility::text) limit 1)`;

/**
 * Takes the visibility of spaces from their published URLs. Visitors learn of no other sites than those that they
 * visit.
 */
export async function primeVisibilities(
  ctx: Context,
  spaceIds: readonly string[],
  urls: Loader<PublishedUrls>,
): Promise<void> {
  if (ctx.actor.kind === 'visitor') return;
  const loadedUrls = await urls.loadMany(ctx, spaceIds);
  for (const [index, id] of spaceIds.entries()) {
    const visibility = loadedUrls[index]?.visibility;
    onSites.prime(ctx, id, visibility === undefined ? undefined : WIDEST.find((each) => each === visibility));
  }
}

/** Reads the visibility of many spaces, in one statement for each of the two sources. */
export const loadVisibilities = (ctx: Context, spaceIds: readonly string[]) =>
  Promise.all([onSites.loadMany(ctx, spaceIds), parentOf.loadMany(ctx, spaceIds)]);
