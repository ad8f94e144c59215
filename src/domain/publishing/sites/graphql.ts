import { builder } from '../../../platform/graphql/builder.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { addPermissionFields } from '../../places/grants/graphql.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { loadSite, loadSiteSpace } from './load.ts';
import { site, siteSpace } from './resources.ts';

export const SiteType = typeOf(site);
export const SiteSpaceType = typeOf(siteSpace);

builder.objectFields(SiteSpaceType, (t) => ({
  space: t.field({
    type: SpaceType,
    nullable: true,
    description: 'Space that the site shows. Null if you cannot see it.',
    resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
  }),
}));

registerNode(SiteType, 'site', loadSite);
addPermissionFields(SiteType, 'site');
registerNode(SiteSpaceType, 'sitespace', loadSiteSpace);
