import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { site } from '../sites/index.ts';
import { presentStructure, structureFor, structureShape } from '../structure/index.ts';
import { customizationOf, customizationOfSiteSpace, customizationsOf } from './read.ts';
import { scriptsOf, scriptsShape } from './scripts.ts';
import { CUSTOMIZATION_DESCRIPTION } from './settings.ts';

type SiteLook = Row<'site'>;

/** The customizations that differ from that of the site, of site spaces that the caller can see. */
export async function overridesOf(ctx: Context, row: SiteLook) {
  const [customizations, structure] = await Promise.all([customizationsOf(ctx, row.id), structureFor(ctx, row.id)]);
  const ids = [...(customizations?.overrides.keys() ?? [])].filter((id) => structure.siteSpace(id));
  return Promise.all(
    ids.map(async (siteSpaceId) => ({
      siteSpaceId,
      customization: await customizationOfSiteSpace(ctx, row, siteSpaceId),
    })),
  );
}

export const customizationShape = z.record(z.string(), z.unknown()).describe(CUSTOMIZATION_DESCRIPTION);

const customizationsShape = z.object({
  site: customizationShape,
  siteSpaces: z
    .record(z.string(), customizationShape)
    .describe('Appearance of the site spaces that differ from the site, by their IDs.'),
});

async function presentCustomizations(ctx: Context, row: SiteLook) {
  const overrides = await overridesOf(ctx, row);
  return {
    site: await customizationOf(ctx, row),
    siteSpaces: Object.fromEntries(overrides.map(({ siteSpaceId, customization }) => [siteSpaceId, customization])),
  };
}

/** Data that a renderer needs to show a site. */
export const publishedSite = resource<SiteLook>(
  {
    name: 'PublishedSite',
    object: 'published-content-site',
    description: 'Data that a renderer needs to show a site: its settings, structure and appearance.',
  },
  (f) => ({
    site: f.object(() => site)('Settings of the site that is shown.', (row) => row),
    structure: f.json(z.lazy(structureShape))(
      'Sections, groups and external links of the site or, if its spaces are at the root, these.',
      (row, ctx) => presentStructure(ctx, row.id),
      { graph: false },
    ),
    customizations: f.json(customizationsShape)(
      'Appearance of the site, and of its spaces where it differs.',
      (row, ctx) => presentCustomizations(ctx, row),
      { graph: false },
    ),
    scripts: f.json(scriptsShape)('Scripts that integrations add to pages.', () => scriptsOf()),
  }),
);
