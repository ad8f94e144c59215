import type { Context } from '../../../platform/context.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { FREE } from '../../../platform/graphql/cost.ts';

const RateLimitType = builder.objectRef<Context>('RateLimit').implement({
  description: 'What the caller may still ask for, and what this operation costs. Asking for it costs nothing.',
  fields: (t) => ({
    limit: t.int({
      nullable: true,
      description: 'Requests per minute, for a token or without one for an address. Null: no limit is set.',
      resolve: ({ allowance }) => allowance?.limit ?? null,
    }),
    remaining: t.int({
      nullable: true,
      description: 'Requests that are left in this minute, after this one. Null: no limit is set.',
      resolve: ({ allowance }) => allowance?.remaining ?? null,
    }),
    resetAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the next minute begins. Null: no limit is set.',
      resolve: ({ allowance }) => (allowance ? new Date(allowance.resetAt).toISOString() : null),
    }),
    cost: t.int({
      description:
        'How many objects this operation may answer at most: each list counts as many as are asked for (`first`, ' +
        '`last`, 50 by default), plain lists as 10.',
      resolve: ({ query }) => query?.cost ?? 0,
    }),
    maxCost: t.int({
      description: 'What an operation may cost; one that costs more is QUERY_TOO_COMPLEX and does not run.',
      resolve: ({ services }) => services.config.maxQueryCost,
    }),
  }),
});

builder.queryField('rateLimit', (t) =>
  t.field({
    type: RateLimitType,
    description: 'What the caller may still ask for, and what this operation costs. Needs no token.',
    extensions: FREE,
    resolve: (_root, _args, ctx) => ctx,
  }),
);
