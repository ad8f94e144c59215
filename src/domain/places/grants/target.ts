import { rejectLimitedToSpaces } from '../../../platform/access/actor.ts';
import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { prefixOf } from '../../../platform/ids/ids.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import {
  authorize,
  decideBeforeLocks,
  type LockOptions,
  loadWithAccess,
  notVisibleError,
  type RoleTarget,
} from '../../people/access/index.ts';
import { collectionFor } from '../collections/index.ts';
import { spaceFor } from '../spaces/index.ts';

const named = (kind: 'space' | 'collection' | 'site') =>
  idOf(kind)
    .nullish()
    .describe(`ID of the ${kind}. Specify exactly one of \`spaceId\`, \`collectionId\` and \`siteId\`.`);

/** Input fields that name a space, a collection or a site. REST paths of sites include the organization. */
export const targetName = {
  spaceId: named('space'),
  collectionId: named('collection'),
  siteId: named('site'),
  organizationId: idOf('org')
    .nullish()
    .describe('ID of the organization that the space, collection or site must belong to.'),
};

/** The names of targets in `targetName`. */
export const TARGET_IDS = ['spaceId', 'collectionId', 'siteId'] as const;

export type TargetName = { [name in keyof typeof targetName]?: string | null | undefined };

/** A space, collection or site with permissions. */
export interface GrantTarget {
  kind: RoleTarget;
  id: string;
  organizationId: string;
}

const KINDS = [
  ['spaceId', 'space'],
  ['collectionId', 'collection'],
  ['siteId', 'site'],
] as const;

/**
 * The target that an input names, if the caller has the minimum role. BAD_USER_INPUT unless exactly one is named.
 * FORBIDDEN for applications that are limited to spaces, since roles are those of members and teams.
 */
export const targetFor = (
  ctx: Context,
  name: TargetName,
  minimum: Role,
  locks: LockOptions = {},
): Promise<GrantTarget> => decideBeforeLocks(ctx, (deciding) => decideTarget(deciding, name, minimum, locks), locks);

async function decideTarget(ctx: Context, name: TargetName, minimum: Role, locks: LockOptions): Promise<GrantTarget> {
  // Missing ids of unvalidated inputs are empty.
  const [first, ...more] = KINDS.filter(([member]) => name[member]);
  if (!first || more.length > 0) {
    throw badInput(
      [more[0]?.[0] ?? 'spaceId'],
      'Specify exactly one of `spaceId`, `collectionId` and `siteId`.',
      'ONE_OF',
    );
  }
  const [member, kind] = first;
  const target = await load[kind](ctx, String(name[member]), minimum, locks, name.organizationId);
  if (name.organizationId && target.organizationId !== name.organizationId) throw notVisibleError(ctx, kind, target.id);
  rejectLimitedToSpaces(ctx.actor);
  return { kind, id: target.id, organizationId: target.organizationId };
}

const load = {
  space: spaceFor,
  collection: collectionFor,
  site: siteIn,
};

async function siteIn(ctx: Context, id: string, minimum: Role, locks: LockOptions, owner: string | null | undefined) {
  const site = await loadWithAccess<{ id: string; organizationId: string }>(ctx, 'site', id, locks);
  if (owner && site?.organizationId !== owner) throw notVisibleError(ctx, 'site', id);
  return authorize(ctx, site, { what: 'site', id }, minimum);
}

/** The target with the id, like `targetFor`, for the repetition of a command. */
export const targetAgain = (ctx: Context, { id }: { id: string }, minimum: Role): Promise<GrantTarget> =>
  targetFor(ctx, { [`${prefixOf(id)}Id`]: id }, minimum);

/** The ids that events about the target have. */
export const idsOf = ({ kind, id }: GrantTarget): Record<string, string> => ({ [`${kind}Id`]: id });
