import { builder } from '../../../platform/graphql/builder.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { type ApiInformation, getApiInformation } from './get-api-information.ts';

const ApiInformationType = builder.objectRef<ApiInformation>('ApiInformation').implement({
  description: 'Which service answers.',
  fields: (t) => ({
    version: t.exposeString('version', { description: 'Its release.' }),
    build: t.exposeString('build', {
      description: 'What the release was made into; `source` when it runs from a checkout.',
    }),
  }),
});

readInGraph(getApiInformation);
builder.queryField('apiInformation', (t) =>
  t.field({
    type: ApiInformationType,
    description: getApiInformation.description,
    resolve: (_root, _args, ctx) => getApiInformation(ctx, {}),
  }),
);
