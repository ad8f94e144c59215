import type { EntitySchema } from '@mikro-orm/core';
import { visitsOf } from '../../../platform/access/actor.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { andThen, batchLoader, rowLoader } from '../../../platform/reads/loader.ts';
import { accessLoader, isVisible, NO_ACCESS } from '../../people/access/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { SiteItem, SiteSpace } from './entity.ts';
import { type SiteItemRow, SiteNavigation, type SiteSpaceRow, wholeStructure } from './site-tree.ts';

/**
 * The structure of a site that the caller can see, batched. Spaces that are deleted or hidden from the caller are left
 * out. For callers without a role on the site, so are parts whose condition their claims do not meet, and sections and
 * groups that are empty as a result.
 */
export const visibleStructure = batchLoader<SiteNavigation>('site:structure', async (ctx, siteIds) => {
  const read = await Promise.all(siteIds.map(async (id) => [id, await wholeOf(ctx, id)] as const));
  // Of all sites together, so that the number of statements does not depend on the number of sites.
  await Promise.all([
    accessLoader.site.loadMany(ctx, siteIds),
    accessLoader.space.loadMany(
      ctx,
      read.flatMap(([, { siteSpaces }]) => siteSpaces.map(({ spaceId }) => spaceId)),
    ),
  ]);
  const visible = await Promise.all(
    read.map(async ([siteId, structure]) => [siteId, await shownPart(ctx, siteId, structure)] as const),
  );
  return new Map(visible);
});

const wholeOf = async (ctx: Context, siteId: string) =>
  (await wholeStructure(ctx, siteId)) ?? new SiteNavigation([], []);

/**
 * Loads the spaces of a site, for callers who show them: `visibleStructure` then need not read the access to them
 * apart.
 */
export async function loadSpacesOf(ctx: Context, siteId: string): Promise<void> {
  const { siteSpaces } = await wholeOf(ctx, siteId);
  await loadSpace.loadMany(
    ctx,
    siteSpaces.map(({ spaceId }) => spaceId),
  );
}

async function shownPart(ctx: Context, siteId: string, structure: SiteNavigation): Promise<SiteNavigation> {
  const rows = structure.siteSpaces;
  const access = await accessLoader.site.peek(ctx, siteId);
  const accesses = await accessLoader.space.loadMany(
    ctx,
    rows.map(({ spaceId }) => spaceId),
  );
  const isHidden = ({ isDeleted }: SiteSpaceRow, index: number) => {
    const spaceAccess = accesses[index];
    return isDeleted || spaceAccess === undefined || !isVisible(spaceAccess);
  };
  const hidden = new Set(rows.filter(isHidden));
  const seen = hidden.size === 0 ? structure : structure.where((row) => !hidden.has(row as SiteSpaceRow));
  return atLeast(access?.role, 'read') ? seen : withoutEmpty(seen.where(meetsCondition(ctx, siteId)));
}

/** Whether the caller meets the condition of a row. Claims are known of visits only. */
function meetsCondition({ actor }: Context, siteId: string): (row: SiteSpaceRow | SiteItemRow) => boolean {
  const visits = visitsOf(actor).filter((visit) => visit.siteId === siteId);
  if (visits.length === 0) return ({ condition }) => condition === null;
  return ({ id }) => visits.some(({ hiddenIds }) => !hiddenIds.has(id));
}

/** Removes sections without spaces, and groups without items. */
function withoutEmpty(structure: SiteNavigation): SiteNavigation {
  const isFilled = (row: SiteItemRow): boolean => {
    if (row.kind === 'section') return structure.siteSpacesIn(row.id).length > 0;
    return row.kind === 'link' || structure.itemsIn(row.id).some(isFilled);
  };
  return structure.where((row) => !('kind' in row) || isFilled(row));
}

/** The visible structure of a site that is known to exist. */
export const structureFor = (ctx: Context, siteId: string) =>
  andThen(visibleStructure.peek(ctx, siteId), (structure) => structure ?? new SiteNavigation([], []));

interface OnSite {
  id: string;
  siteId: string;
}

/** Finds the sites of rows by id, and then the rows in the visible structures of these sites. */
function visibleRows<Found extends OnSite>(
  schema: EntitySchema,
  find: (structure: SiteNavigation, id: string) => Found | undefined,
) {
  const onSites = entityLoader<OnSite>(schema, {
    fields: ['id', 'siteId'],
    isShown: async (ctx, { siteId }) => isVisible((await accessLoader.site(ctx, siteId)) ?? NO_ACCESS),
  });
  return rowLoader<Found>(`visible ${schema.meta.className}`, async (ctx, ids) => {
    const items = (await onSites.loadMany(ctx, ids)).filter((row) => row !== undefined);
    const seen = await Promise.all(items.map(async ({ id, siteId }) => find(await structureFor(ctx, siteId), id)));
    return seen.filter((row) => row !== undefined);
  });
}

/** Spaces on sites by id, batched. Only those that the caller can see. */
export const loadSiteSpace = visibleRows(SiteSpace, (structure, id) => structure.siteSpace(id));

/** Sections, groups and external links by id, batched. Only those that the caller can see. */
export const loadSiteItem = visibleRows(SiteItem, (structure, id) => structure.item(id));

const loadKind = (kind: SiteItemRow['kind']) => async (ctx: Context, id: string) => {
  const item = await loadSiteItem(ctx, id);
  return item?.kind === kind ? item : undefined;
};

export const loadSiteSection = loadKind('section');
export const loadSiteSectionGroup = loadKind('group');
export const loadSiteExternalLink = loadKind('link');
