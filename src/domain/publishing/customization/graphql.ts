import type { Context } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { ContentReference } from '../../content/pages/graphql.ts';
import { SiteType } from '../sites/graphql.ts';
import { loadSite } from '../sites/index.ts';
import { SiteSpaceType, SiteStructureType, shownStructure } from '../structure/graphql.ts';
import { loadSiteSpace } from '../structure/index.ts';
import { siteAppearance, siteHeader, siteHeaderItem, siteLink } from './appearance.ts';
import { type Customization, withDefaults } from './customization.ts';
import { getPublishedSite } from './get-published-site.ts';
import { getSiteCustomization } from './get-site-customization.ts';
import { getSiteSpaceCustomization } from './get-site-space-customization.ts';
import { listSiteIntegrationScripts } from './list-site-integration-scripts.ts';
import { overrideSiteSpaceCustomization } from './override-site-space-customization.ts';
import { appearanceOf, appearanceOfSiteSpace, customizationOf, customizationOfSiteSpace } from './read.ts';
import { resetSiteSpaceCustomization } from './reset-site-space-customization.ts';
import { overridesOf, publishedSite } from './resources.ts';
import { CUSTOMIZATION_DESCRIPTION } from './settings.ts';
import { updateSiteCustomization } from './update-site-customization.ts';

const PublishedSiteType = typeOf(publishedSite);
const SiteAppearanceType = typeOf(siteAppearance);

const USE_APPEARANCE = 'Use `appearance`, which has a type.';

const referenceOf = (to: object) => to as Record<string, unknown>; // the JSON of a reference

builder.objectFields(typeOf(siteLink), (t) => ({
  to: t.field({ type: ContentReference, description: 'Target of the link.', resolve: ({ to }) => referenceOf(to) }),
}));

builder.objectFields(typeOf(siteHeaderItem), (t) => ({
  to: t.field({
    type: ContentReference,
    nullable: true,
    description: 'Target of the link or button. Null for a menu.',
    resolve: ({ to }) => (to ? referenceOf(to) : null),
  }),
}));

builder.objectFields(typeOf(siteHeader), (t) => ({
  primaryLink: t.field({
    type: ContentReference,
    nullable: true,
    description: 'Target of the logo and the title. Null for the first page of the site.',
    resolve: ({ primaryLink }) => (primaryLink ? referenceOf(primaryLink) : null),
  }),
}));

const SiteSpaceCustomization = builder
  .objectRef<{ siteSpaceId: string; customization: Customization }>('SiteSpaceCustomization')
  .implement({
    description: 'The appearance of a space on a site, where it differs from the site.',
    fields: (t) => ({
      siteSpace: t.field({
        type: SiteSpaceType,
        nullable: true,
        description: 'The space on the site.',
        resolve: ({ siteSpaceId }, _args, ctx) => loadSiteSpace(ctx, siteSpaceId),
      }),
      appearance: t.field({
        type: SiteAppearanceType,
        description: 'Appearance of the space on the site.',
        resolve: ({ customization }) => withDefaults(customization),
      }),
      customization: t.field({
        type: 'JSONObject',
        description: CUSTOMIZATION_DESCRIPTION,
        deprecationReason: USE_APPEARANCE,
        resolve: ({ customization }) => customization,
      }),
    }),
  });

builder.objectFields(PublishedSiteType, (t) => ({
  appearance: t.field({
    type: SiteAppearanceType,
    description: 'Appearance of the site, as renderers show it.',
    resolve: async (row, _args, ctx) => withDefaults(await customizationOf(ctx, row)),
  }),
  customization: t.field({
    type: 'JSONObject',
    description: CUSTOMIZATION_DESCRIPTION,
    deprecationReason: USE_APPEARANCE,
    resolve: (row, _args, ctx) => customizationOf(ctx, row),
  }),
  structure: t.field({
    type: SiteStructureType,
    description: 'Sections, groups and external links of the site or, if its spaces are at the root, these.',
    resolve: ({ id }, _args, ctx, info) => shownStructure(ctx, id, info),
  }),
  siteSpaceCustomizations: t.field({
    type: [SiteSpaceCustomization],
    description: 'Appearance of the spaces on the site that differ from the site.',
    resolve: (row, _args, ctx) => overridesOf(ctx, row),
  }),
}));

for (const read of [
  getSiteCustomization,
  getSiteSpaceCustomization,
  getPublishedSite,
  // `PublishedSite.scripts`
  listSiteIntegrationScripts,
])
  readInGraph(read);

const SHARE_KEY = 'Key of a share link of the site, if you read the site with one.';

builder.objectFields(SiteType, (t) => ({
  appearance: t.field({
    type: SiteAppearanceType,
    description: 'Appearance of the site, as stored. `updateSiteCustomization` changes it.',
    resolve: (row, _args, ctx) => appearanceOf(ctx, row),
  }),
  customization: t.field({
    type: 'JSONObject',
    deprecationReason: USE_APPEARANCE,
    description: `${getSiteCustomization.description} ${CUSTOMIZATION_DESCRIPTION}`,
    resolve: (row, _args, ctx) => customizationOf(ctx, row),
  }),
  publishedProfile: t.field({
    type: PublishedSiteType,
    nullable: true,
    description: `${getPublishedSite.description} Null if the share key is not one of the site.`,
    args: { shareKey: t.arg.string({ description: SHARE_KEY }) },
    resolve: (row, { shareKey }, ctx) =>
      shareKey == null ? row : orNull(getPublishedSite(ctx, { siteId: row.id, shareKey })),
  }),
}));

builder.objectFields(SiteSpaceType, (t) => ({
  appearance: t.field({
    type: SiteAppearanceType,
    nullable: true,
    description:
      "Appearance of the space on the site, as stored: the site's appearance with the space's overrides. Null if you cannot see the site.",
    resolve: async ({ id, siteId }, _args, ctx) => {
      const row = await loadSite(ctx, siteId);
      return row ? appearanceOfSiteSpace(ctx, row, id) : null;
    },
  }),
  customization: t.field({
    type: 'JSONObject',
    deprecationReason: USE_APPEARANCE,
    nullable: true,
    description: `${getSiteSpaceCustomization.description} ${CUSTOMIZATION_DESCRIPTION}`,
    resolve: async ({ id, siteId }, _args, ctx) => {
      const row = await loadSite(ctx, siteId);
      return row ? customizationOfSiteSpace(ctx, row, id) : null;
    },
  }),
}));

const site = {
  type: SiteType,
  nullable: true,
  description: 'The site. Null if you cannot see it.',
  resolve: ({ siteId }: { siteId: string | null }, ctx: Context) => (siteId === null ? null : loadSite(ctx, siteId)),
};

const siteSpace = {
  type: SiteSpaceType,
  nullable: true,
  description: 'The space on the site. Null if you cannot see it.',
  resolve: ({ siteSpaceId }: { siteSpaceId: string }, ctx: Context) => loadSiteSpace(ctx, siteSpaceId),
};

mutation(updateSiteCustomization, { site });
mutation(overrideSiteSpaceCustomization, { siteSpace });
mutation(resetSiteSpaceCustomization, { siteSpace });
