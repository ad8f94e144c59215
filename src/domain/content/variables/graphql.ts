import { builder } from '../../../platform/graphql/builder.ts';
import { variablesOf } from '../../store/manifests/index.ts';
import { RevisionType } from '../revisions/graphql.ts';

builder.objectFields(RevisionType, (t) => ({
  variables: t.field({
    type: 'JSONObject',
    description: 'Values that expressions on all pages may use, by name: text, numbers and booleans.',
    resolve: (revision, _args, ctx) => variablesOf(ctx, revision),
  }),
}));
