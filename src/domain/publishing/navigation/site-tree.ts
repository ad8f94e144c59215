import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { executeRows } from '../../people/access/index.ts';

/** A space on a site, as it is read. */
type ReadSiteSpace = Row<'site_space'> & { isDeleted: boolean };
/** A space on a site. `place` sorts it within the whole site. */
export type SiteSpaceRow = ReadSiteSpace & { place: string };
/** A section, a group or an external link. `place` sorts it within the whole site. */
export type SiteItemRow = Row<'site_item'> & { place: string };

/** Sorts below all digits of ranks, so that an item precedes what it contains. */
const BELOW = '!';

/** The navigation of one site, in order. */
export class SiteNavigation {
  /** Sections, groups and links, each group before its items. */
  readonly items: readonly SiteItemRow[];
  /** All spaces: those at the root, then those of each section. */
  readonly siteSpaces: readonly SiteSpaceRow[];
  readonly #itemsById: Map<string, SiteItemRow>;
  readonly #siteSpacesById: Map<string, SiteSpaceRow>;
  readonly #items: Map<string | null, SiteItemRow[]>;
  readonly #siteSpaces: Map<string | null, SiteSpaceRow[]>;

  /** Rows must be ordered by rank. */
  constructor(items: readonly Row<'site_item'>[], siteSpaces: readonly ReadSiteSpace[]) {
    this.items = placedItems(items);
    this.#itemsById = new Map(this.items.map((item) => [item.id, item]));
    this.#items = Map.groupBy(this.items, ({ groupId }) => groupId);
    const withPlaces = siteSpaces.map((row) => ({
      ...row,
      place: row.sectionId === null ? row.rank : `${this.item(row.sectionId)?.place ?? ''}${BELOW}${row.rank}`,
    }));
    this.#siteSpaces = Map.groupBy(withPlaces, ({ sectionId }) => sectionId);
    this.siteSpaces = [null, ...this.sections.map(({ id }) => id)].flatMap((id) => this.siteSpacesIn(id));
    this.#siteSpacesById = new Map(this.siteSpaces.map((row) => [row.id, row]));
  }

  /** The items of a group, or those at the root. */
  itemsIn(groupId: string | null): readonly SiteItemRow[] {
    return this.#items.get(groupId) ?? [];
  }

  /** The spaces of a section, or those at the root. */
  siteSpacesIn(sectionId: string | null): readonly SiteSpaceRow[] {
    return this.#siteSpaces.get(sectionId) ?? [];
  }

  get sections(): SiteItemRow[] {
    return this.items.filter(({ kind }) => kind === 'section');
  }

  /** Whether the navigation is the spaces at the root. Otherwise it is the sections, groups and links there. */
  get isOfSpaces(): boolean {
    if (this.sections.length > 0) return false;
    return this.siteSpacesIn(null).length > 0 || this.itemsIn(null).length === 0;
  }

  get groups(): SiteItemRow[] {
    return this.items.filter(({ kind }) => kind === 'group');
  }

  item(id: string): SiteItemRow | undefined {
    return this.#itemsById.get(id);
  }

  siteSpace(id: string): SiteSpaceRow | undefined {
    return this.#siteSpacesById.get(id);
  }

  /** The structure without the site spaces and items for which a condition is false, and without what is in them. */
  where(isShown: (row: SiteSpaceRow | SiteItemRow) => boolean): SiteNavigation {
    return new SiteNavigation(this.items.filter(isShown), this.siteSpaces.filter(isShown));
  }
}

/** Adds the place of each item: the ranks of its groups from the root, and its own. */
function placedItems(items: readonly Row<'site_item'>[]): SiteItemRow[] {
  const below = Map.groupBy(items, ({ groupId }) => groupId);
  const placed = (groupId: string | null, prefix: string): SiteItemRow[] =>
    (below.get(groupId) ?? []).flatMap((item) => {
      const place = `${prefix}${item.rank}`;
      return [{ ...item, place }, ...(item.kind === 'group' ? placed(item.id, `${place}${BELOW}`) : [])];
    });
  return placed(null, '');
}

/** The structures of sites without a check of permissions, in two statements. */
async function readStructures(ctx: Context, siteIds: readonly string[]): Promise<Map<string, SiteNavigation>> {
  const ids = siteIds as string[];
  const [items, siteSpaces] = await Promise.all([
    executeRows<Row<'site_item'>>(
      ctx,
      sql`select i.* from site_item i where i.site_id = any(${ids}::text[]) order by i.rank`,
    ),
    executeRows<ReadSiteSpace>(
      ctx,
      sql`
        select l.*, s.id is null or s.deleted_at is not null as is_deleted
        from site_space l left join space s on s.id = l.space_id
        where l.site_id = any(${ids}::text[]) order by l.rank`,
    ),
  ]);
  const [itemsBySite, spacesBySite] = [Map.groupBy(items, siteOf), Map.groupBy(siteSpaces, siteOf)];
  return new Map(ids.map((id) => [id, new SiteNavigation(itemsBySite.get(id) ?? [], spacesBySite.get(id) ?? [])]));
}

/** The structure of a site without a check of permissions, batched. */
export const wholeStructure = batchLoader<SiteNavigation>('site:whole-structure', readStructures);

const siteOf = ({ siteId }: { siteId: string }) => siteId;

/** The structure of a site that the transaction has locked. */
export async function readStructureUncached(ctx: Context, siteId: string): Promise<SiteNavigation> {
  return (await readStructures(ctx, [siteId])).get(siteId) ?? new SiteNavigation([], []);
}
