import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { type Actor, onlySpacesOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { MaybePromise } from '../../../platform/reads/loader.ts';
import { isPlaceShownSql, parentOf, reaches, roleSql } from '../../people/access/index.ts';
import { contentVisibility } from './enums.ts';
import { type PublishedUrls, publishedUrls } from './published-urls.ts';

type Visibility = z.infer<typeof contentVisibility>;

/** In the order of the enum, the most public first. */
const WIDEST = contentVisibility.options;

/** Those of sites that everyone can read. */
const OPEN_TO_ALL = ['public', 'unlisted'];

/** Whether everyone can read the spaces of a site with this visibility. */
export const isOpenToAll = (visibility: string): boolean => OPEN_TO_ALL.includes(visibility);

/**
 * Who can read a space, batched: the visibility of its published site (the most public one of several). Without a site,
 * it depends on the parent collection, if there is one. For callers without a role on the space, only sites count that
 * show it to them. For an application that is limited to spaces, which sees no collections and no sites, only what
 * everyone can see counts.
 */
export function visibilityOf(ctx: Context, spaceId: string): MaybePromise<Visibility> {
  // Both are read in one tick of the event loop, also for spaces on sites: the others of a list need their parents.
  const [urls, parentId] = [publishedUrls().peek(ctx, spaceId), parentOf.peek(ctx, spaceId)];
  if (!(urls instanceof Promise) && !(parentId instanceof Promise)) return visibilityBy(ctx.actor, urls, parentId);
  return Promise.all([urls, parentId]).then(([known, parent]) => visibilityBy(ctx.actor, known, parent));
}

function visibilityBy(actor: Actor, urls: PublishedUrls | undefined, parentId: string | null | undefined): Visibility {
  const isInCollection = parentId != null && !onlySpacesOf(actor);
  return urls?.visibility ?? (isInCollection ? 'in-collection' : 'private');
}

/**
 * The condition that a space, given the alias of its row, has one of these visibilities for the caller, as
 * `visibilityOf` says.
 */
export function hasVisibility(actor: Actor, row: string, visibilities: readonly Visibility[]): RawBuilder<boolean> {
  const isShown = isPlaceShownSql(actor);
  const isKnown = actor.kind === 'user' ? sql`(${reaches(roleSql.space(actor, row), 'read')} or ${isShown})` : isShown;
  if (onlySpacesOf(actor)) {
    const isOpen = sql`${isKnown} and si.visibility::text = any(${[...OPEN_TO_ALL]}::text[])`;
    return sql<boolean>`coalesce(${siteVisibility(row, isOpen)}, 'private') = any(${[...visibilities]}::text[])`;
  }
  return sql<boolean>`coalesce(${siteVisibility(row, isKnown)},
    case when exists (select from placement vp
      where vp.item_id = ${sql.ref(`${row}.id`)} and vp.parent_id <> vp.organization_id) then 'in-collection' else 'private' end
    ) = any(${[...visibilities]}::text[])`;
}

const siteVisibility = (row: string, isKnown: RawBuilder<unknown>) => sql`
  (select si.visibility::text from site_space ss join site si on si.id = ss.site_id
    where ss.space_id = ${sql.ref(`${row}.id`)} and si.is_published and si.organization_id = ss.organization_id and ${isKnown}
    order by array_position(${[...WIDEST]}::text[], si.visibility::text) limit 1)`;
