import { builder } from '../../../platform/graphql/builder.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { visibleVariablesOf } from '../visibility/index.ts';

builder.objectFields(RevisionType, (t) => ({
  variables: t.field({
    type: 'JSONObject',
    description: 'Variables that expressions on all pages can use, by name. Values are strings, numbers and booleans.',
    resolve: (revision, _args, ctx) => visibleVariablesOf(ctx, revision),
  }),
}));
