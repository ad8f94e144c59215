import { builder } from '../../../platform/graphql/builder.ts';
import { variablesOf } from '../../store/manifests/index.ts';
import { RevisionType } from '../revisions/graphql.ts';

builder.objectFields(RevisionType, (t) => ({
  variables: t.field({
    type: 'JSONObject',
    description: 'Variables that expressions on all pages can use, by name. Values are strings, numbers and booleans.',
    resolve: (revision, _args, ctx) => variablesOf(ctx, revision),
  }),
}));
