import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { idOf } from '../../../platform/operation.ts';
import { authorize, type Holding, loadWithAccess, type RoleTarget } from '../../people/access/index.ts';
import { collectionFor } from '../collections/index.ts';
import { spaceFor } from '../spaces/index.ts';

const named = (kind: 'space' | 'collection' | 'site') =>
  idOf(kind)
    .nullish()
    .describe(`ID of the ${kind}. Specify exactly one of \`spaceId\`, \`collectionId\` and \`siteId\`.`);

/** Input fields that name a space, a collection or a site. */
export const targetName = { spaceId: named('space'), collectionId: named('collection'), siteId: named('site') };

/** The names of `targetName`, for connections whose parent is the target. */
export const TARGET_IDS = ['spaceId', 'collectionId', 'siteId'] as const;

export type TargetName = { [name in (typeof TARGET_IDS)[number]]?: string | null | undefined };

/** A space, collection or site with permissions. */
export interface Target {
  kind: RoleTarget;
  id: string;
  organizationId: string;
}

const KINDS = [
  ['spaceId', 'space'],
  ['collectionId', 'collection'],
  ['siteId', 'site'],
] as const;

/** The target that an input names, if the caller has the wanted role. BAD_USER_INPUT unless exactly one is named. */
export async function targetFor(ctx: Context, name: TargetName, wanted: Role, holding: Holding = {}): Promise<Target> {
  // Missing ids of unvalidated inputs are empty.
  const [found, ...more] = KINDS.filter(([member]) => name[member]);
  if (!found || more.length > 0) {
    throw badInput([more[0]?.[0] ?? 'spaceId'], 'Specify exactly one of `spaceId`, `collectionId` and `siteId`.');
  }
  const [member, kind] = found;
  const { id, organizationId } = await load[kind](ctx, String(name[member]), wanted, holding);
  return { kind, id, organizationId };
}

const load = {
  space: spaceFor,
  collection: collectionFor,
  site: async (ctx: Context, id: string, wanted: Role, holding: Holding) =>
    authorize(
      ctx,
      await loadWithAccess<{ id: string; organizationId: string }>(ctx, 'site', id, holding),
      { what: 'site', id },
      wanted,
    ),
};

/** The ids that events about the target have. */
export const idsOf = ({ kind, id }: Target): Record<string, string> => ({ [`${kind}Id`]: id });
