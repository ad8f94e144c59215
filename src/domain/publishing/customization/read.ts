import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import {
  applyOverride,
  type Customization,
  type CustomizationOverride,
  DEFAULT_CUSTOMIZATION,
  withDefaults,
} from './customization.ts';
import { shownParts } from './shown-parts.ts';

/** The customizations of a site: its own, and what differs for its spaces, by the id of the site space. */
export interface Customizations {
  site: Customization;
  updatedAt: string | undefined;
  overrides: Map<string, CustomizationOverride>;
}

const readRows = statement((db, { siteIds }: { siteIds: string[] }) =>
  db.selectFrom('site_customization').where('siteId', '=', anyOf(siteIds)).selectAll(),
);

/** Customizations by the id of the site, batched, without a check of permissions. */
export const customizationsOf = batchLoader<Customizations>('site:customizations', async (ctx, siteIds) => {
  const rows = await readRows(ctx, { siteIds });
  const bySite = Map.groupBy(rows, ({ siteId }) => siteId);
  return new Map(siteIds.map((siteId) => [siteId, customizationsIn(siteId, bySite.get(siteId) ?? [])]));
});

function customizationsIn(siteId: string, rows: Row<'site_customization'>[]): Customizations {
  const site = rows.find(({ targetId }) => targetId === siteId);
  return {
    site: (site?.settings as Customization | undefined) ?? DEFAULT_CUSTOMIZATION, // of the site itself
    updatedAt: site?.updatedAt,
    overrides: new Map(
      rows.filter((row) => row !== site).map(({ targetId, settings }) => [targetId, settings as CustomizationOverride]), // of site spaces
    ),
  };
}

/** The appearance of a site in the graph, as stored, so that callers with a role can write it back. */
export const appearanceOf = async (ctx: Context, site: SiteLook) =>
  withDefaults(await customizationOf(ctx, site, { unmasked: true }));

/** The appearance of a site space in the graph, as stored. */
export const appearanceOfSiteSpace = async (ctx: Context, site: SiteLook, siteSpaceId: string) =>
  withDefaults(await customizationOfSiteSpace(ctx, site, siteSpaceId, { unmasked: true }));

type SiteLook = Pick<Row<'site'>, 'id' | 'title' | 'icon'>;

/** The customization of a site as clients read it, with the title and the icon of the site. */
export async function customizationOf(ctx: Context, site: SiteLook, { unmasked = false } = {}) {
  const customizations = await customizationsOf(ctx, site.id);
  const whole = withLook(customizations?.site ?? DEFAULT_CUSTOMIZATION, site);
  return present(ctx, site.id, { ...whole, ...updated(customizations?.updatedAt) }, unmasked);
}

/** The customization of a site space: that of its site, with the differences. */
export async function customizationOfSiteSpace(
  ctx: Context,
  site: SiteLook,
  siteSpaceId: string,
  { unmasked = false } = {},
) {
  const customizations = await customizationsOf(ctx, site.id);
  const siteCustomization = withLook(customizations?.site ?? DEFAULT_CUSTOMIZATION, site);
  const override = customizations?.overrides.get(siteSpaceId) ?? {};
  const whole = applyOverride(siteCustomization, override);
  return present(ctx, site.id, { ...whole, ...updated(customizations?.updatedAt) }, unmasked);
}

const updated = (updatedAt: string | undefined) => (updatedAt === undefined ? {} : { updatedAt });

type Dated = Customization & { updatedAt?: string };

const present = async (ctx: Context, siteId: string, customization: Dated, unmasked: boolean) =>
  masked(await shownParts(ctx, siteId, customization), unmasked);

function withLook(customization: Customization, { title, icon }: SiteLook): Customization {
  const { emoji, light, dark } = icon ?? {};
  if (emoji != null) return { ...customization, title, favicon: { emoji } };
  return { ...customization, title, favicon: light == null || dark == null ? {} : { icon: { light, dark } } };
}

/** Hides the assistant from readers, since the service has no model that could answer. */
const masked = (customization: Dated, unmasked: boolean) =>
  unmasked ? customization : { ...customization, ai: { ...customization.ai, mode: 'none' as const } };
