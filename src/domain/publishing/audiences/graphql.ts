import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { accessLoader, authorize, NO_ACCESS, permissions } from '../../people/access/index.ts';
import { SiteType } from '../sites/graphql.ts';
import { loadSite } from '../sites/index.ts';
import { createShareLink } from './create-share-link.ts';
import { getShareLink } from './get-share-link.ts';
import { getSiteAdaptiveSchema } from './get-site-adaptive-schema.ts';
import { getSitePublishingAuth } from './get-site-publishing-auth.ts';
import { listShareLinks, shareLinksOfSite } from './list-share-links.ts';
import { listSiteTemplateConditions } from './list-site-template-conditions.ts';
import { adaptiveSchemaOf, loadShareLink, type ShareLinkRow } from './load.ts';
import { regenerateSitePublishingKey } from './regenerate-site-publishing-key.ts';
import { adaptiveSchema, shareLink, sitePublishingAuth } from './resources.ts';
import { revokeShareLink } from './revoke-share-link.ts';
import { siteAuthOf } from './site-key.ts';
import { updateShareLink } from './update-share-link.ts';
import { updateSiteAdaptiveSchema } from './update-site-adaptive-schema.ts';
import { updateSitePublishingAuth } from './update-site-publishing-auth.ts';

const ShareLinkType = typeOf(shareLink);
const SitePublishingAuthType = typeOf(sitePublishingAuth);
const SiteAdaptiveSchemaType = typeOf(adaptiveSchema);

registerNode(ShareLinkType, 'sharelink', loadShareLink);
for (const read of [getShareLink, getSitePublishingAuth, getSiteAdaptiveSchema, listSiteTemplateConditions])
  readInGraph(read);

builder.objectFields(SiteType, (t) => ({
  shareLinks: connection(t, {
    type: ShareLinkType,
    operation: listShareLinks,
    description: `${listShareLinks.description} FORBIDDEN unless you are an admin of the site.`,
    nullable: true,
    parent: 'siteId',
    list: ({ id }, { search }, ctx) => shareLinksOfSite(ctx, id, search),
  }),
  publishingAuth: t.field({
    type: SitePublishingAuthType,
    nullable: true,
    description: `${getSitePublishingAuth.description} FORBIDDEN unless you are an admin of the site.`,
    resolve: async (row, _args, ctx) => {
      const access = (await accessLoader.site(ctx, row.id)) ?? NO_ACCESS;
      authorize(ctx, access, { what: 'site', id: row.id }, permissions.getSitePublishingAuth.site);
      return siteAuthOf(ctx, row.id);
    },
  }),
  adaptiveSchema: t.field({
    type: SiteAdaptiveSchemaType,
    nullable: true,
    description:
      'The schema of the claims that visitors of the site can have. Null until it is set, and without a role on the site.',
    resolve: async ({ id }, _args, ctx) => {
      const access = await accessLoader.site(ctx, id);
      return atLeast(access?.role, permissions.getSiteAdaptiveSchema.site) ? adaptiveSchemaOf(ctx, id) : null;
    },
  }),
}));

const siteOf = (description: string) => ({
  site: {
    type: SiteType,
    nullable: true,
    description,
    resolve: ({ siteId }: { siteId: string }, ctx: Context) => loadSite(ctx, siteId),
  },
});

const linkField = (description: string) => ({
  shareLink: { type: ShareLinkType, description, resolve: (row: ShareLinkRow) => row },
});

mutation(createShareLink, linkField('The new link.'));
mutation(updateShareLink, linkField('The updated link.'));
mutation(revokeShareLink, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the revoked link. Null if the link did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  site: {
    type: SiteType,
    nullable: true,
    description: 'Site of the link. Null if nothing was revoked.',
    resolve: ({ siteId }, ctx) => (siteId === null ? null : loadSite(ctx, siteId)),
  },
});

mutation(updateSitePublishingAuth, siteOf('The site, with its `publishingAuth`.'));
mutation(regenerateSitePublishingKey, siteOf('The site, with its `publishingAuth`.'));
mutation(updateSiteAdaptiveSchema, siteOf('The site, with its `adaptiveSchema`.'));
