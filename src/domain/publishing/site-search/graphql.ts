import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { spaceResult } from '../../content/search/index.ts';
import { SiteType } from '../sites/graphql.ts';
import { searchSiteContent } from './search-site-content.ts';

builder.objectFields(SiteType, (t) => ({
  search: connection(t, {
    type: typeOf(spaceResult),
    operation: searchSiteContent,
    without: ['siteId', 'organizationId', 'shareKey'],
    from: ({ id }) => ({ siteId: id }),
  }),
}));
