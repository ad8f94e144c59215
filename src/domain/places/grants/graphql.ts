import type { Context } from '../../../platform/context/context.ts';
import { builder, type TypeRef } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { Node } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { findById } from '../../../platform/ids/find-by-id.ts';
import { PREFIXES, prefixOf } from '../../../platform/ids/ids.ts';
import { type AccessStep, explainAccess, type RoleTarget } from '../../people/access/index.ts';
import { CollectionType } from '../collections/graphql.ts';
import { loadCollection } from '../collections/index.ts';
import { SpaceType } from '../spaces/graphql.ts';
import { loadSpace } from '../spaces/index.ts';
import { grantPermission } from './grant-permission.ts';
import { type EffectiveRow, listEffectivePermissions } from './list-effective-permissions.ts';
import { type GrantRow, listPermissionGrants } from './list-permission-grants.ts';
import { accessExplanation, accessStep, effectivePermission, permissionGrant } from './resources.ts';
import { revokePermission } from './revoke-permission.ts';
import { type GrantTarget, targetName } from './target.ts';

const GrantType = typeOf(permissionGrant);
const EffectiveType = typeOf(effectivePermission);
const ExplanationType = typeOf(accessExplanation);
const StepType = typeOf(accessStep);

/** An object of any kind by its id. Null if the caller cannot see it. */
async function nodeOf(ctx: Context, id: string): Promise<object | null> {
  const [node, prefix] = [await findById(ctx, id), prefixOf(id)];
  return node && prefix ? { ...node, __typename: PREFIXES[prefix] } : null;
}

builder.objectFields(GrantType, (t) => ({
  target: t.field({
    type: Node,
    nullable: true,
    description: 'Space, collection or site that the role is granted on. Null if you cannot see it.',
    resolve: ({ targetId }: GrantRow, _args, ctx) => nodeOf(ctx, targetId),
  }),
}));

builder.objectFields(EffectiveType, (t) => ({
  target: t.field({
    type: Node,
    nullable: true,
    description: 'Space, site, collection or organization that defines the role. Null if you cannot see it.',
    resolve: ({ targetId, organizationId }: EffectiveRow, _args, ctx) => nodeOf(ctx, targetId ?? organizationId),
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

const grant = mutation(grantPermission, {});
const revoke = mutation(revokePermission, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the user or team that lost the role. Null if there was no granted role.',
    resolve: ({ deletedId }) => deletedId,
  },
});

/** The target of a permission, in the payloads of mutations. */
const targetField = <Row>(type: TypeRef<Row>, kind: RoleTarget, load: Load<Row>) => ({
  [kind]: {
    type,
    nullable: true,
    description: `The ${kind}. Null if the permission is on something else, or you can no longer see the ${kind}.`,
    resolve: ({ target }: { target: GrantTarget }, ctx: Context) =>
      target.kind === kind ? load(ctx, target.id) : null,
  },
});

type Load<Row> = (ctx: Context, id: string) => Promise<Row | undefined>;

/** Adds the fields about permissions to a type, and the type to the mutations: also sites, which are declared later. */
export function addPermissionFields<Row extends { id: string }>(
  type: TypeRef<Row>,
  kind: RoleTarget,
  load: Load<Row>,
): void {
  grant.extendPayload(targetField(type, kind, load));
  revoke.extendPayload(targetField(type, kind, load));
  const from = ({ id }: Row) => ({ [`${kind}Id`]: id });
  const without = Object.keys(targetName) as (keyof typeof targetName)[]; // it has no others
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
      description: 'Explanation of your access, with the levels that decide it.',
      resolve: ({ id }, _args, ctx) => explainAccess(ctx, kind, id),
    }),
  }));
}

addPermissionFields(SpaceType, 'space', loadSpace);
addPermissionFields(CollectionType, 'collection', loadCollection);
