import { atLeast } from '../../../platform/access/roles.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { accessLoader, permissions } from '../../people/access/index.ts';
import { SiteType } from '../sites/graphql.ts';
import { loadSite } from '../sites/index.ts';
import { getCustomHostname } from './get-custom-hostname.ts';
import { removeCustomHostname } from './remove-custom-hostname.ts';
import { customHostname, type HostnameRow } from './resources.ts';
import { verifyCustomHostname } from './verify-custom-hostname.ts';

const CustomHostnameType = typeOf(customHostname);

readInGraph(getCustomHostname);

builder.objectFields(SiteType, (t) => ({
  customHostname: t.field({
    type: CustomHostnameType,
    nullable: true,
    description: `${getCustomHostname.description} Null if the site has none or you are not an admin of it.`,
    resolve: async (row, _args, ctx) => {
      const access = await accessLoader.site(ctx, row.id);
      const mayRead = atLeast(access?.role, permissions.getCustomHostname.site);
      return row.hostname !== null && mayRead ? (row as HostnameRow) : null; // just checked
    },
  }),
}));

const site = {
  type: SiteType,
  nullable: true,
  description: 'The site. Null if you can no longer see it.',
};

mutation(verifyCustomHostname, { site: { ...site, resolve: ({ siteId }, ctx) => loadSite(ctx, siteId) } });

mutation(removeCustomHostname, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'The removed hostname. Null if no site had it or you cannot see the site.',
    resolve: ({ deletedId }) => deletedId,
  },
  site: { ...site, resolve: ({ siteId }, ctx) => (siteId === null ? null : loadSite(ctx, siteId)) },
});
