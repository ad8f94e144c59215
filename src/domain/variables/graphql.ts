import { builder } from '../../platform/graphql/builder.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { variablesOf } from './variables-of.ts';

builder.objectFields(RevisionType, (t) => ({
  variables: t.field({
    type: 'JSONObject',
    description: 'Values that expressions on all pages may use, by name: text, numbers and booleans.',
    resolve: (revision, _args, ctx) => variablesOf(ctx, revision),
  }),
}));
