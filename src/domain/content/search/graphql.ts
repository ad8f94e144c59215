import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { accessLoader } from '../../people/access/index.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { PageNodeType } from '../pages/graphql.ts';
import { currentPage } from '../pages/index.ts';
import { pageResult, sectionResult, spaceResult } from './resources.ts';
import { searchedInOrganization, searchOrganizationContent } from './search-organization-content.ts';
import { searchedPages, searchSpaceContent } from './search-space-content.ts';

const PageResultType = typeOf(pageResult);
const SpaceResultType = typeOf(spaceResult);

const RESULT_ID =
  'ID of the result for caches, unique across the service and for each search. It is not the ID of a node.';

builder.objectFields(typeOf(sectionResult), (t) => ({
  id: t.id({
    description: RESULT_ID,
    resolve: ({ page: { resultId }, section: { anchor } }) =>
      anchor === null ? `${resultId}#` : `${resultId}#${anchor}`,
  }),
  page: t.field({
    type: PageNodeType,
    nullable: true,
    description: 'The page in the current content of its space. Null if the page no longer exists.',
    resolve: ({ page: { spaceId, id } }, _args, ctx) => currentPage(ctx, spaceId, id),
  }),
}));

builder.objectFields(PageResultType, (t) => ({
  id: t.id({ description: RESULT_ID, resolve: ({ resultId }) => resultId }),
  page: t.field({
    type: PageNodeType,
    nullable: true,
    description: 'The page in the current content of its space. Null if the page no longer exists.',
    resolve: ({ spaceId, id }, _args, ctx) => currentPage(ctx, spaceId, id),
  }),
  space: t.field({
    type: SpaceType,
    nullable: true,
    description: 'Space of the page. Null if the space no longer exists.',
    resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
  }),
}));

builder.objectFields(SpaceResultType, (t) => ({
  id: t.id({ description: RESULT_ID, resolve: ({ resultId }) => resultId }),
  space: t.field({
    type: SpaceType,
    nullable: true,
    description: 'The space. Null if it no longer exists.',
    resolve: ({ id }, _args, ctx) => loadSpace(ctx, id),
  }),
}));

builder.objectFields(SpaceType, (t) => ({
  search: connection(t, {
    type: PageResultType,
    operation: searchSpaceContent,
    without: ['spaceId'],
    from: ({ id }) => ({ spaceId: id }),
    list: async (space, { query }, ctx) =>
      searchedPages(ctx, space, (await accessLoader.space(ctx, space.id)) ?? { role: null }, query),
  }),
}));

builder.objectFields(OrganizationType, (t) => ({
  search: connection(t, {
    type: SpaceResultType,
    operation: searchOrganizationContent,
    without: ['organizationId'],
    from: ({ id }) => ({ organizationId: id }),
    list: ({ id }, { query }, ctx) => searchedInOrganization(ctx, id, query),
  }),
}));
