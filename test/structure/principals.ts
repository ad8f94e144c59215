import { type Permission, permissions } from '../../src/domain/people/access/index.ts';
import { hashToken } from '../../src/platform/access/credentials.ts';
import { atLeast, type Role } from '../../src/platform/access/roles.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { Client } from '../client.ts';
import { contentOf } from '../people/access/content.ts';
import { tokenOfApplication } from '../people/oauth/application-row.ts';
import type { World } from '../world.ts';

/**
 * Somebody who calls operations of an organization whose content has no grants or default levels, but for its admin.
 */
export interface Principal {
  name: string;
  client: Client;
  /** False if the token is missing or not valid. */
  isUser: boolean;
  /** Undefined without a membership that counts. */
  membership?: { role: Role | null };
  /** The spaces of the organization that an application is limited to, none of which is asked for. */
  spaceIds?: string[];
  isOperator?: boolean;
}

/** Every kind of principal, in the organization of a world. */
export async function principalsOf(world: World): Promise<Principal[]> {
  const { admin, creator, reviewer, editor, commenter, reader, guest, outsider, anonymous, url } = world;
  const { db } = world.app.services;
  const stranger = (name: string, token: string): Principal => ({
    name,
    client: new Client(url, token),
    isUser: false,
  });
  const member = (name: string, client: Client, role: Role | null): Principal => ({
    name,
    client,
    isUser: true,
    membership: { role },
  });
  const granted = await newMember(world, { role: null });
  const content = contentOf(db, world.organizationId);
  await world.grant(await content.space(), granted.userId, 'admin');
  const elsewhere = await content.space();
  const limited = { userId: admin.userId, organizationIds: [world.organizationId], spaceIds: [elsewhere] };
  return [
    { name: 'no token', client: anonymous, isUser: false },
    stranger('a token that is none', 'stemma_nonsense'),
    stranger('a revoked token', await revokedToken(admin)),
    stranger('an expired token', await expiredToken(world)),
    { name: 'an outsider', client: outsider, isUser: true },
    { name: 'a disabled member', client: await newMember(world, { role: 'admin', isDisabled: true }), isUser: true },
    member('a guest', guest, null),
    member('a guest with a grant elsewhere', granted, null),
    member('a reader', reader, 'read'),
    member('a commenter', commenter, 'comment'),
    member('an editor', editor, 'edit'),
    member('a reviewer', reviewer, 'review'),
    member('a creator', creator, 'create'),
    { ...member('an administrator', admin, 'admin'), isOperator: true },
    {
      name: 'an application of an administrator that is limited to another space',
      client: new Client(url, await tokenOfApplication(world.app.services, limited), admin.userId),
      isUser: true,
      spaceIds: [elsewhere],
    },
  ];
}

/** A new member of the organization of a world. */
export async function newMember(
  { app, organizationId, url }: World,
  columns: { role: Role | null; isDisabled?: boolean },
): Promise<Client> {
  const { db } = app.services;
  const userId = newId('user');
  const token = `stemma_${userId}`;
  await db
    .insertInto('user')
    .values({ id: userId, email: `${userId}@example.com`, displayName: 'Somebody' })
    .execute();
  await db
    .insertInto('api_token')
    .values({ id: newId('token'), userId, label: '', secretHash: hashToken(token) })
    .execute();
  await db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId, userId, ...columns })
    .execute();
  return new Client(url, token, userId);
}

async function revokedToken(admin: Client): Promise<string> {
  const { body } = await admin.post('/v1/user/tokens', { label: 'revoked' });
  await admin.delete(`/v1/user/tokens/${body.id}`);
  return body.secret;
}

async function expiredToken({ app, admin }: World): Promise<string> {
  const token = 'stemma_expired';
  const expiresAt = new Date(Date.now() - 60_000).toISOString();
  await app.services.db
    .insertInto('api_token')
    .values({ id: newId('token'), userId: admin.userId, label: '', secretHash: hashToken(token), expiresAt })
    .execute();
  return token;
}

/** How an operation answers a principal: the error, or `allowed`. `own` operations concern the caller alone. */
export type Expected = 'UNAUTHENTICATED' | 'NOT_FOUND' | 'FORBIDDEN' | 'allowed' | 'own';

/** What `permissions` says about an operation. */
export const permissionOf = (operationName: string): Permission =>
  (permissions as Record<string, Permission>)[operationName] ?? {}; // another test compares the names

const IN_ORGANIZATION = { reach: null, member: null, role: 'read', createContent: 'create', admin: 'admin' } as const;

/**
 * The answer to a principal by the table `permissions`. The content is in a collection, so that operations which create
 * items beside it require their role on that collection. Members are other members. `isNamedAlone` says that the
 * request does not name what the target is in.
 */
export function expectedOf(permission: Permission, principal: Principal, isNamedAlone = false): Expected {
  const { hidden } = permission;
  const expected = expectedByRole(permission, principal);
  const isHidden = hidden && (isNamedAlone || hidden.within) && !atLeast(principal.membership?.role, hidden.below);
  return expected === 'FORBIDDEN' && isHidden ? 'NOT_FOUND' : expected;
}

function expectedByRole(permission: Permission, principal: Principal): Expected {
  const { client, isUser, isOperator, membership, spaceIds } = principal;
  // A token that is sent must be valid, even where none is required.
  if (permission.open && (isUser || client.token === undefined)) return 'allowed';
  if (!isUser) return 'UNAUTHENTICATED';
  if (permission.self) return 'own';
  if (permission.operator) return isOperator ? 'allowed' : 'FORBIDDEN';
  if (spaceIds && permission.organization === 'reach' && contentRole(permission) === undefined) return 'allowed';
  if (!membership) return 'NOT_FOUND';
  if ((permission.ofMember || permission.ofTeam) && membership.role === null) return 'NOT_FOUND';
  const onContent = contentRole(permission);
  // Roles on the content are those in the organization: there are no others.
  if (onContent !== undefined) {
    if (!atLeast(membership.role, 'read')) return 'NOT_FOUND';
    const parent: Role = permission.parent ?? 'none';
    const own = IN_ORGANIZATION[permission.organization ?? 'member'] ?? 'none';
    const wanted: Role[] = [onContent, parent, own];
    return wanted.every((role) => atLeast(membership.role, role)) ? 'allowed' : 'FORBIDDEN';
  }
  const wanted = IN_ORGANIZATION[permission.organization ?? 'member'];
  return wanted === null || atLeast(membership.role, wanted) ? 'allowed' : 'FORBIDDEN';
}

function contentRole({ space, collection, site, content }: Permission): Role | undefined {
  const role = space ?? collection ?? site ?? content;
  return role === 'view' ? 'read' : role;
}
