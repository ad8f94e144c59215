import { builder } from './platform/graphql/builder.ts';
import './domain/service/graphql.ts';
import './domain/service/graphql-rate-limit.ts';
import './domain/users/graphql.ts';
import './domain/organizations/graphql.ts';
import './domain/collections/graphql.ts';
import './domain/spaces/graphql.ts';
import './domain/uploads/graphql.ts';
import './domain/files/graphql.ts';
import './domain/change-requests/graphql.ts';
import './domain/reviews/graphql.ts';
import './domain/change-request-merges/graphql.ts';
import './domain/pages/graphql.ts';
import './domain/reusable-contents/graphql.ts';
import './domain/variables/graphql.ts';
import './domain/content/graphql.ts';
import './domain/imports/graphql.ts';
import './domain/templates/graphql.ts';
import './domain/events/graphql.ts';
import './domain/jobs/graphql.ts';
import './domain/webhooks/graphql.ts';
import './domain/conversations/graphql.ts';
import './domain/sites/graphql.ts';
import './domain/members/graphql.ts';
import './domain/comments/graphql.ts';
import './domain/teams/graphql.ts';

/** The graph: every room's types and fields. */
export const schema = builder.toSchema({ sortSchema: true });
