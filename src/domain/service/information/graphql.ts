import { builder } from '../../../platform/graphql/builder.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { getApiInformation } from './get-api-information.ts';
import { apiInformation } from './resources.ts';

readInGraph(getApiInformation);
builder.queryField('apiInformation', (t) =>
  t.field({
    type: typeOf(apiInformation),
    description: getApiInformation.description,
    resolve: (_root, _args, ctx) => getApiInformation(ctx, {}),
  }),
);
