import type { Context } from '../../../platform/context/context.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { FREE } from '../../../platform/graphql/limits/cost.ts';

const RateLimitType = builder.objectRef<Context>('RateLimit').implement({
  description: 'Rate limit of your token or address, and cost of this operation. Reading it costs nothing.',
  fields: (t) => ({
    limit: t.int({
      nullable: true,
      description:
        'Requests per minute of the token, or of the client address for requests without a token. Null if there is no limit.',
      resolve: ({ allowance }) => allowance?.limit ?? null,
    }),
    remaining: t.int({
      nullable: true,
      description: 'Requests remaining in the current minute. Null if there is no limit.',
      resolve: ({ allowance }) => allowance?.remaining ?? null,
    }),
    resetAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time when the next minute starts and `remaining` is reset. Null if there is no limit.',
      resolve: ({ allowance }) => (allowance ? new Date(allowance.resetAt).toISOString() : null),
    }),
    cost: t.int({
      description:
        'Maximum number of objects that this operation can return. A connection counts as many as requested (`first` ' +
        'or `last`, 50 by default), any other list counts as 10.',
      resolve: ({ callSummary }) => callSummary?.cost ?? 0,
    }),
    maxCost: t.int({
      description:
        'Maximum cost of an operation. Operations that exceed it fail with QUERY_TOO_COMPLEX before they run.',
      resolve: ({ services }) => services.config.maxQueryCost,
    }),
  }),
});

builder.queryField('rateLimit', (t) =>
  t.field({
    type: RateLimitType,
    description: 'Rate limit of your token or address, and cost of this operation. Requires no token.',
    extensions: FREE,
    resolve: (_root, _args, ctx) => ctx,
  }),
);
