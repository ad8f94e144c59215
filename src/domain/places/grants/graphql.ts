import type { Context } from '../../../platform/context.ts';
import { findById } from '../../../platform/find-by-id.ts';
import { builder, type TypeRef } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { Node } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { PREFIXES, prefixOf } from '../../../platform/ids.ts';
import { type AccessStep, explainAccess, type RoleTarget } from '../../people/access/index.ts';
import { CollectionType } from '../collections/graphql.ts';
import { loadCollection } from '../collections/index.ts';
import { SpaceType } from '../spaces/graphql.ts';
import { loadSpace } from '../spaces/index.ts';
import { grantPermission } from './grant-permission.ts';
import { listEffectivePermissions } from './list-effective-permissions.ts';
import { type GrantRow, listPermissionGrants } from './list-permission-grants.ts';
import { accessExplanation, accessStep, effectivePermission, permissionGrant } from './resources.ts';
import { revokePermission } from './revoke-permission.ts';
import { TARGET_IDS, type Target } from './target.ts';

const GrantType = typeOf(permissionGrant);
const EffectiveType = typeOf(effectivePermission);
const ExplanationType = typeOf(accessExplanation);
const StepType = typeOf(accessStep);

/** An object of any kind by its id. Null if the caller cannot see it. */
async function nodeOf(ctx: Context, id: string): Promise<object | null> {
  const [found, prefix] = [await findById(ctx, id), prefixOf(id)];
  return found && prefix ? { ...found, __typename: PREFIXES[prefix] } : null;
}

builder.objectFields(GrantType, (t) => ({
  target: t.field({
    type: Node,
    nullable: true,
    description: 'Space, collection or site that the role is granted on. Null if you cannot see it.',
    resolve: ({ targetId }: GrantRow, _args, ctx) => nodeOf(ctx, targetId),
  }),
}));

builder.objectFields(StepType, (t) => ({
  target: t.field({
    type: Node,
    nullable: true,
    description: 'The space, site, collection or organization. Null if you cannot see it.',
    resolve: ({ targetId }: AccessStep, _args, ctx) => nodeOf(ctx, targetId),
  }),
}));

builder.objectFields(ExplanationType, (t) => ({
  path: t.field({
    type: [StepType],
    description:
      'The levels that were considered, from the resource outwards. Empty if you are not a member of the organization.',
    resolve: ({ path }) => path,
  }),
}));

/** Adds the fields about permissions to a type: also to that of sites, which is declared later. */
export function addPermissionFields<Row extends { id: string }>(type: TypeRef<Row>, kind: RoleTarget): void {
  const from = ({ id }: Row) => ({ [`${kind}Id`]: id });
  const without = [...TARGET_IDS];
  builder.objectFields(type, (t) => ({
    permissionGrants: connection(t, {
      type: GrantType,
      operation: listPermissionGrants,
      description: `${listPermissionGrants.description} FORBIDDEN if you are not an admin of the ${kind}.`,
      nullable: true,
      without,
      from,
    }),
    effectivePermissions: connection(t, {
      type: EffectiveType,
      operation: listEffectivePermissions,
      description: `${listEffectivePermissions.description} FORBIDDEN if you are not an admin of the ${kind}.`,
      nullable: true,
      without,
      from,
    }),
    accessExplanation: t.field({
      type: ExplanationType,
      description: 'Why you have access, and the levels that decide about it.',
      resolve: ({ id }, _args, ctx) => explainAccess(ctx, kind, id),
    }),
  }));
}

addPermissionFields(SpaceType, 'space');
addPermissionFields(CollectionType, 'collection');

const idIn = ({ target }: { target: Target }, kind: RoleTarget) => (target.kind === kind ? target.id : null);

const targetFields = <Output extends { target: Target }>() => ({
  space: {
    type: SpaceType,
    nullable: true,
    description: 'The space. Null if the permission is on something else, or you can no longer see the space.',
    resolve: (output: Output, ctx: Context) => {
      const id = idIn(output, 'space');
      return id === null ? null : loadSpace(ctx, id);
    },
  },
  collection: {
    type: CollectionType,
    nullable: true,
    description:
      'The collection. Null if the permission is on something else, or you can no longer see the collection.',
    resolve: (output: Output, ctx: Context) => {
      const id = idIn(output, 'collection');
      return id === null ? null : loadCollection(ctx, id);
    },
  },
});

mutation(grantPermission, targetFields());
mutation(revokePermission, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the user or team that lost the role. Null if there was no granted role.',
    resolve: ({ deletedId }) => deletedId,
  },
  ...targetFields<{ target: Target; deletedId: string | null }>(),
});
