import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { knownMaps, mapCallerOf } from './access-maps.ts';
import { roleBy, suffices } from './rule/memory-rule.ts';

/** A row with the version of the access that was read beside it. */
interface Read {
  organizationId: string;
  accessVersion: string;
}

/** What the maps of a process tell of other resources of an organization, at the moment of a row and without a statement. */
export interface MapsOfRow {
  readonly accessVersion: string;
  /** The caller's role on a collection. Undefined if it has to be read. */
  roleOnCollection(id: string): Role | null | undefined;
  /** Whether the space was on a site, published or not. */
  isOnSite(spaceId: string): boolean;
}

/** The maps of the same moment as a row. Undefined if this process does not have them. */
export function mapsOfRow(ctx: Context, { organizationId, accessVersion }: Read): MapsOfRow | undefined {
  const { services, actor } = ctx;
  const maps = knownMaps(services, organizationId, mapCallerOf(actor), accessVersion);
  if (!maps) return undefined;
  const { collections, sitesOf } = maps.organization;
  const acts = suffices(maps, actor, organizationId);
  return {
    accessVersion,
    roleOnCollection(id) {
      const collection = collections.get(id);
      if (!collection) return undefined;
      const { level, parentId } = collection;
      return acts ? roleBy.collection(maps, { id, organizationId, level, parentId }) : null;
    },
    isOnSite: (spaceId) => sitesOf.has(spaceId),
  };
}

/** The maps of each of several rows, most of which have the same. */
export function mapsOfRows(ctx: Context): (row: Read) => MapsOfRow | undefined {
  const found = new Map<string, MapsOfRow | undefined>();
  return (row) => {
    const known = found.get(row.accessVersion);
    if (known || found.has(row.accessVersion)) return known;
    const maps = mapsOfRow(ctx, row);
    found.set(row.accessVersion, maps);
    return maps;
  };
}
