import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import { type IdPrefix, PREFIXES, prefixOf } from '../../../platform/ids/ids.ts';
import { timeInput } from '../../../platform/shapes/time.ts';

/** Inputs that filter events by who caused them, what they concern and when. */
export const eventFilters = {
  actorId: z
    .string()
    .max(200)
    .nullish()
    .describe('Only events that this user (`user_…`) or installation (`installation_…`) caused.'),
  resourceId: z
    .string()
    .max(200)
    .nullish()
    .describe(
      'Only events that concern this resource, whatever its type, even if it no longer exists: those with its ID in `ids`. BAD_USER_INPUT if it is not an ID.',
    ),
  createdAfter: timeInput.nullish().describe('Only events at or after this time.'),
  createdBefore: timeInput.nullish().describe('Only events before this time.'),
};

export interface EventFilters {
  actorId: string | null;
  resourceId: string | null;
  createdAfter: string | null;
  createdBefore: string | null;
}

/** The filters of an input. BAD_USER_INPUT if the resource is not an id. */
export function toEventFilters({
  actorId = null,
  resourceId = null,
  createdAfter = null,
  createdBefore = null,
}: { [Name in keyof EventFilters]?: string | null | undefined }): EventFilters {
  if (resourceId !== null && prefixOf(resourceId) === undefined) {
    throw badInput(['resourceId'], `"${resourceId}" is not an ID of a resource.`, 'INVALID_FORMAT');
  }
  return { actorId, resourceId, createdAfter, createdBefore };
}

/** The conditions that an event `e` passes the filters. */
export const eventConditions = ({
  actorId,
  resourceId,
  createdAfter,
  createdBefore,
}: EventFilters): (RawBuilder<unknown> | false)[] => [
  actorId !== null && sql`e.actor_id = ${actorId}`,
  resourceId !== null &&
    sql`(${sql.join(
      namesInIds(resourceId).map((name) => sql`e.ids @> ${JSON.stringify({ [name]: resourceId })}::jsonb`),
      sql` or `,
    )})`,
  createdAfter !== null && sql`e.created_at >= ${createdAfter}::timestamptz`,
  createdBefore !== null && sql`e.created_at < ${createdBefore}::timestamptz`,
];

/** Names of resources in the ids of events that do not follow from their types, by prefix. */
const OTHER_NAMES: Partial<Record<IdPrefix, readonly string[]>> = {
  space: ['spaceId', 'copiedSpaceId'],
  collection: ['collectionId', 'parentId'],
  rev: ['revisionId', 'previousRevisionId'],
  cluster: ['clusterId'],
  oauthgrant: ['oauthGrantId'],
  gitconnection: ['gitConnectionId'],
};

/**
 * The names that the ids of events have for a resource. Usually one that follows from its type: `siteId` for `site_…`.
 */
export function namesInIds(resourceId: string): readonly string[] {
  const prefix = prefixOf(resourceId) ?? 'event';
  const type = PREFIXES[prefix];
  return OTHER_NAMES[prefix] ?? [`${type.charAt(0).toLowerCase()}${type.slice(1)}Id`];
}
