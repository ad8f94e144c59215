import type { Role } from '../../../platform/access/roles.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { EntityRow } from '../../../platform/database/entity-from-row.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import type { SettingsChanges } from '../../../platform/events/settings-changes.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { notVisibleError } from '../../people/access/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import {
  loadSiteItem,
  loadSiteSpace,
  readStructureUncached,
  type SiteItemRow,
  type SiteNavigation,
  type SiteSpaceRow,
} from '../navigation/index.ts';
import { type Site, siteFor, siteForChange } from '../sites/index.ts';

/** A site as a locked entity, and its structure. */
export interface Editing {
  site: EntityRow<typeof Site>;
  structure: SiteNavigation;
}

/** Names the site that an item must belong to. REST paths include it. */
export interface SiteOfItem {
  siteId?: string | null | undefined;
  organizationId?: string | null | undefined;
}

/** Locks a site, for callers with the wanted role on it, and reads its structure. */
export async function editSite(
  ctx: Context,
  name: { siteId: string; organizationId?: string | null | undefined },
  requiredRole: Role,
  options: { changesAccess?: boolean } = {},
): Promise<Editing> {
  const site = await siteForChange(ctx, name, requiredRole, options);
  return { site, structure: await readStructureUncached(ctx, site.id) };
}

/**
 * The site of a site space or item: the named one, or the one that it belongs to. Null if there is no such row or its
 * site is hidden from the caller.
 */
async function siteIdOf(ctx: Context, id: string, { siteId }: SiteOfItem): Promise<string | null> {
  if (siteId != null) return siteId;
  const table = id.startsWith('sitespace_') ? 'site_space' : 'site_item';
  const row = await ctx.db.selectFrom(table).where('id', '=', id).select('siteId').executeTakeFirst();
  return row?.siteId ?? null;
}

/** `editSite` for the site of a site space or item. Null like `siteIdOf`; NOT_FOUND if the named site is hidden. */
export async function editSiteOf(
  ctx: Context,
  id: string,
  name: SiteOfItem,
  requiredRole: Role,
  options: { changesAccess?: boolean } = {},
): Promise<Editing | null> {
  const siteId = await siteIdOf(ctx, id, name);
  if (siteId === null) return null;
  const editing = editSite(ctx, { siteId, organizationId: name.organizationId }, requiredRole, options);
  return name.siteId == null ? orNull(editing) : editing;
}

/**
 * The `authorize` of operations on a site space or item, given the property of the input that names it. Deletions do
 * not require that it exists.
 */
export const authorizeItem =
  (what: string, property: string, requiredRole: Role | 'view', { isDeletion = false } = {}) =>
  async (ctx: Context, ids: Record<string, string>): Promise<void> => {
    const id = ids[property] ?? '';
    const named = ids.siteId || null;
    const row = await (id.startsWith('sitespace_') ? loadSiteSpace(ctx, id) : loadSiteItem(ctx, id));
    const siteId = named ?? row?.siteId;
    const name = { siteId: siteId ?? '', organizationId: ids.organizationId || null };
    const site = siteId === undefined ? null : siteFor(ctx, name, requiredRole);
    const isThere = await (named === null ? orNull(Promise.resolve(site)) : site);
    if (!isDeletion && !(isThere && row?.siteId === siteId)) throw notVisibleError(ctx, what, id);
  };

const NAMES = { section: 'site section', group: 'section group', link: 'external link' } as const;

/** An item of a structure that is being edited. NOT_FOUND if it does not exist. */
export function itemIn(
  ctx: Context,
  editing: Editing | null,
  kind: SiteItemRow['kind'],
  id: string,
): { item: SiteItemRow } & Editing {
  const item = editing?.structure.item(id);
  if (!editing || item?.kind !== kind) throw notVisibleError(ctx, NAMES[kind], id);
  return { ...editing, item: recordVersion(ctx, item, { lock: 'held with the site' }) };
}

/** A site space of a structure that is being edited. NOT_FOUND if it does not exist or its space is hidden. */
export async function siteSpaceIn(
  ctx: Context,
  editing: Editing | null,
  id: string,
): Promise<{ siteSpace: SiteSpaceRow } & Editing> {
  const siteSpace = editing?.structure.siteSpace(id);
  const space = siteSpace && (await loadSpace(ctx, siteSpace.spaceId));
  if (!editing || !siteSpace || !space) throw notVisibleError(ctx, 'site space', id);
  return { ...editing, siteSpace: recordVersion(ctx, siteSpace, { lock: 'held with the site' }) };
}

/**
 * Writes what was assigned to the items of a site, counts it as a change of the site, and records it with what changed.
 */
export async function recordStructure(
  ctx: Context,
  site: EntityRow<typeof Site>,
  ids: Record<string, string>,
  changes: SettingsChanges = {},
): Promise<void> {
  const { id: siteId, organizationId } = site;
  site.updatedAt = nowOf(ctx);
  await ctx.em.flush();
  await recordEvent(ctx, {
    kind: 'site_structure_updated',
    organizationId,
    ids: { siteId, ...ids },
    changes,
  });
}

/** The row of a structure, or null instead of NOT_FOUND, for deletions. */
export const orAbsent = <Found>(find: () => Promise<Found>): Promise<Found | null> => orNull(find());

/** A row that the caller can see, of the named site or any. NOT_FOUND if there is none. */
export async function visibleIn<Found extends { siteId: string }>(
  ctx: Context,
  what: string,
  id: string,
  { siteId, organizationId }: SiteOfItem,
  load: (ctx: Context, id: string) => Promise<Found | undefined>,
): Promise<Found> {
  if (siteId != null) await siteFor(ctx, { siteId, organizationId }, 'view');
  const row = await load(ctx, id);
  if (!row || (siteId != null && row.siteId !== siteId)) throw notVisibleError(ctx, what, id);
  return row;
}
