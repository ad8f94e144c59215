import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { lookup } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { addPermissionFields } from '../../places/grants/graphql.ts';
import { loadSite } from './access.ts';
import { createSite } from './create-site.ts';
import { deleteSite } from './delete-site.ts';
import { getSite } from './get-site.ts';
import { listSites, sitesOfOrganization } from './list-sites.ts';
import { publishSite } from './publish-site.ts';
import { site } from './resources.ts';
import { unpublishSite } from './unpublish-site.ts';
import { updateSite } from './update-site.ts';

export const SiteType = typeOf(site);

registerNode(SiteType, 'site', loadSite);

lookup('site', getSite, SiteType, { id: 'siteId' });

builder.objectFields(OrganizationType, (t) => ({
  sites: connection(t, {
    type: SiteType,
    operation: listSites,
    parent: 'organizationId',
    list: ({ id }, filters, ctx) => sitesOfOrganization(ctx, id, filters),
  }),
}));

addPermissionFields(SiteType, 'site', loadSite);

const siteField = (description: string) => ({
  site: {
    type: SiteType,
    nullable: true,
    description: `${description} Null if you can no longer see it.`,
    resolve: ({ siteId }: { siteId: string }, ctx: Parameters<typeof loadSite>[0]) => loadSite(ctx, siteId),
  },
});

mutation(createSite, siteField('The new site.'));
mutation(updateSite, siteField('The updated site.'));
mutation(publishSite, siteField('The published site.'));
mutation(unpublishSite, siteField('The unpublished site.'));

mutation(deleteSite, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted site. Null if the site did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that the site belonged to. Null if nothing was deleted.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});
