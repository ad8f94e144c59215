import { sql } from 'kysely';
import { canonicalJson } from '../../../lib/canonical.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { jsonColumn } from '../../../platform/database/json-column.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { conflict, notFound } from '../../../platform/errors/errors.ts';
import { ScimError } from '../../../platform/errors/scim-error.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsBetween } from '../../../platform/events/settings-changes.ts';
import type { OrganizationRow } from '../access/index.ts';
import {
  changeMember,
  endMembership,
  endSsoCredentials,
  joinAs,
  type MemberRow,
  Membership,
} from '../members/index.ts';
import { accountName, emailAddress, insertAccount } from '../users/index.ts';
import { type ScimDocument, scimDocument } from './document.ts';
import { forgetSubjects } from './forget-subjects.ts';
import type { PatchOperation } from './patch-request.ts';
import { patchUser } from './patch-user.ts';
import type { Projection } from './projection.ts';
import { type Provisioned, provision } from './provision.ts';
import { isVouchedForBy } from './provisioned-account.ts';
import { getScimUser } from './read-users.ts';
import { checkUser, type Email, type UserData } from './schemas.ts';
import { type UserResource, versionOfUser, writtenUser } from './user-resource.ts';
import { isNamed, readUser, readUsers, type UserRow } from './user-rows.ts';
import { checkVersion } from './version.ts';

const MAX_NAME = 256;

const nameTakenError = (userName: string) =>
  new ScimError('uniqueness', `userName: another user of this organization is named "${userName}".`);

constraintMeans('scim_user_name_unique', () => new ScimError('uniqueness', 'userName: another user has this name.'));

/**
 * Creates a user. A member with this name or address whom SCIM does not manage yet becomes that user, unless the member
 * is an admin: admins could change other memberships anyway. An account that is not a member is never used, even if it
 * has proved the address.
 */
export async function createScimUser(
  ctx: Context,
  provisioned: Provisioned,
  body: unknown,
  projection: Projection,
): Promise<UserResource> {
  const data = checkedUser(scimDocument(body));
  return provision(ctx, provisioned, async (inside, organization) => {
    await removeFormer(inside, provisioned, data.userName);
    const member = (await unmanagedMember(inside, provisioned, data)) ?? (await newMember(inside, organization, data));
    await store(inside, provisioned, member, data);
    await setActive(inside, provisioned, member, data.active);
    return getScimUser(inside, provisioned, member.id, projection);
  });
}

/** Replaces the attributes of a user. The access stays as it is unless `active` is given. */
export const replaceUser = (
  ctx: Context,
  provisioned: Provisioned,
  name: UserName,
  body: unknown,
  projection: Projection,
): Promise<UserResource> => {
  const data = checkedUser(scimDocument(body));
  return changeUser(ctx, provisioned, { ...name, projection }, () => data);
};

/** Applies operations to a user. */
export const patchUserBy = (
  ctx: Context,
  provisioned: Provisioned,
  name: UserName,
  operations: readonly PatchOperation[],
  projection: Projection,
): Promise<UserResource> =>
  changeUser(ctx, provisioned, { ...name, projection }, (row) => {
    const document: ScimDocument = structuredClone(writtenUser(row));
    patchUser(document, operations);
    return checkedUser(document);
  });

/** Removes a user from the organization. The account, and what it has written, stay. */
export const deleteUser = (ctx: Context, provisioned: Provisioned, name: UserName): Promise<void> =>
  provision(ctx, provisioned, async (inside) => {
    const row = await existing(inside, provisioned, name);
    const member = await lockedMember(inside, row);
    rejectBreakGlass(member);
    // The person would be a member again, and enabled, as soon as the identity provider creates it again.
    if (row.isDisabled && !row.hasDisabled)
      throw conflict(
        'An administrator of the organization has disabled this member. Ask an administrator to enable or remove the member.',
      );
    await endMembership(inside, member);
    // Otherwise the next sign-in would make the former account a member again, beside the one that SCIM makes.
    await forgetSubjects(inside, { organizationId: provisioned.organizationId, userId: row.id });
  });

/** A user that a request is about, with its header `If-Match`. */
export interface UserName {
  id: string;
  ifMatch: string | undefined;
}

function changeUser(
  ctx: Context,
  provisioned: Provisioned,
  { projection, ...name }: UserName & { projection: Projection },
  next: (row: UserRow) => UserData,
): Promise<UserResource> {
  return provision(ctx, provisioned, async (inside) => {
    const row = await existing(inside, provisioned, name);
    await update(inside, provisioned, row, next(row));
    return getScimUser(inside, provisioned, row.id, projection);
  });
}

/** The user as of now, with the version that the request expects. */
async function existing(ctx: Context, provisioned: Provisioned, { id, ifMatch }: UserName): Promise<UserRow> {
  const row = await readUser(ctx, provisioned.organizationId, id);
  if (!row) throw notFound('user', id);
  checkVersion(ifMatch, versionOfUser(row));
  return row;
}

/** A user with a name that can be one, and addresses that can be such. */
function checkedUser(document: ScimDocument): UserData {
  const data = checkUser(document);
  const { userName, externalId } = data;
  if (userName.trim() === '' || userName.length > MAX_NAME)
    throw new ScimError('invalidValue', `userName: must have 1 to ${MAX_NAME} characters that are not only spaces.`);
  if (externalId !== undefined && externalId.length > MAX_NAME)
    throw new ScimError('invalidValue', `externalId: must be at most ${MAX_NAME} characters long.`);
  for (const [attribute, value] of Object.entries({ userName, externalId })) {
    if (value !== undefined && /\p{Cc}/u.test(value))
      throw new ScimError('invalidValue', `${attribute}: must be on one line, without control characters.`);
  }
  for (const { value } of data.emails ?? []) {
    if (value !== undefined && !emailAddress.safeParse(value).success)
      throw new ScimError('invalidValue', 'emails: each value must be an email address such as ada@example.com.');
  }
  return data;
}

/** The address of the membership: the primary one, else one for work, else the first, else the name of the user. */
function addressOf({ emails = [], userName }: UserData): string | null {
  const chosen = (is: (email: Email) => boolean) =>
    emails.find((email) => email.value !== undefined && is(email))?.value;
  return (
    chosen(({ primary }) => primary === true) ??
    chosen(({ type }) => type?.toLowerCase() === 'work') ??
    chosen(() => true) ??
    (emailAddress.safeParse(userName).success ? userName : null)
  );
}

function nameOf({ displayName, name, userName }: UserData): string {
  const parts = [name?.givenName, name?.familyName].filter((part) => part !== undefined && part.trim() !== '');
  const names = [displayName, name?.formatted, parts.join(' ')];
  return names.find((each) => each !== undefined && each.trim() !== '') ?? userName;
}

/** Removes the rows of users with a name who are no longer members, so that the name is free. */
async function removeFormer(
  ctx: Context,
  { organizationId }: Pick<Provisioned, 'organizationId'>,
  userName: string,
): Promise<void> {
  await sql`
    delete from scim_user s
    where s.organization_id = ${organizationId} and lower(s.user_name) = lower(${userName}) and not exists (
      select from membership m where m.organization_id = s.organization_id and m.user_id = s.user_id)`.execute(ctx.db);
}

/**
 * The member that becomes a new user, if one has the name or address. `uniqueness` if the name is taken, and for
 * admins: whoever holds the token could otherwise give the address of an admin to another person.
 */
async function unmanagedMember(
  ctx: Context,
  { organizationId }: Provisioned,
  data: UserData,
): Promise<UserRow | undefined> {
  const { userName } = data;
  const named = await readUsers(ctx, organizationId, {
    where: isNamed(organizationId, sql`${userName}::text`),
    limit: 2,
  });
  if (named.some(({ profile }) => profile !== null)) throw nameTakenError(userName);
  const address = addressOf(data);
  const candidates =
    named.length > 0 || address === null
      ? named
      : await readUsers(ctx, organizationId, {
          where: sql`p.profile is null and ${isNamed(organizationId, sql`${address}::text`)}`,
          limit: 2,
        });
  if (candidates.length > 1)
    throw new ScimError('uniqueness', `userName: several members have the name or address of "${userName}".`);
  if (candidates[0]?.role === 'admin')
    throw new ScimError(
      'uniqueness',
      `userName: the member with the name or address of "${userName}" is an admin. An administrator of the organization has to give the member another role first, or the identity provider has to change the existing user.`,
    );
  return candidates[0];
}

async function newMember(ctx: Context, organization: OrganizationRow, data: UserData): Promise<UserRow> {
  const { id: organizationId, defaultRole } = organization;
  const userId = await insertAccount(ctx, nameOf(data));
  const role = defaultRole === 'admin' ? 'create' : defaultRole; // a token must not make admins
  await joinAs(ctx, { organizationId, userId, role, isSso: true });
  const row = await readUser(ctx, organizationId, userId);
  if (!row) throw new Error('newMember() found no member row right after joinAs().');
  return row;
}

/** Stores the attributes of a member, and gives or ends its access. */
async function update(ctx: Context, provisioned: Provisioned, row: UserRow, data: UserData): Promise<void> {
  const { active, ...attributes } = data;
  const { active: _active, ...before } = writtenUser(row);
  const isChanged = canonicalJson(attributes) !== canonicalJson(before);
  // A member whom SCIM deactivates is managed from then on: who has disabled it is kept with its attributes.
  const isManaged = row.profile === null && active === row.isDisabled;
  if (isChanged || isManaged) await store(ctx, provisioned, row, data);
  await setActive(ctx, provisioned, row, active);
}

async function store(ctx: Context, { organizationId }: Provisioned, row: UserRow, data: UserData): Promise<void> {
  const { active: _active, userName, externalId = null, ...profile } = data;
  if (userName.toLowerCase() !== row.userName.toLowerCase()) await rejectTaken(ctx, organizationId, row.id, userName);
  const former = row.profile === null ? undefined : { ...row.profile, userName: row.userName };
  const { id: userId, memberId } = row;
  const now = nowOf(ctx);
  const values = { userName, externalId, profile: jsonColumn(profile), updatedAt: now };
  await ctx.db
    .insertInto('scim_user')
    .values({ organizationId, userId, createdAt: now, ...values })
    .onConflict((conflict) => conflict.columns(['organizationId', 'userId']).doUpdateSet(values))
    .execute();
  const email = addressOf(data);
  // An address that SCIM no longer gives could belong to another person.
  if (email !== row.email && (email !== null || former))
    await ctx.db.updateTable('membership').set({ email }).where('id', '=', memberId).execute();
  await renameAccount(ctx, organizationId, row, nameOf(data));
  const formerNames = namesGivenUp(former, row.email, data);
  if (formerNames.length > 0) await endFormerNames(ctx, row, { organizationId, userId }, formerNames);
  const before = {
    email: row.email,
    ...(former && { userName: row.userName, externalId: row.externalId, displayName: nameOf(former) }),
  };
  const after = { userName, externalId, email: former ? email : (email ?? row.email), displayName: nameOf(data) };
  const changes = settingsBetween(before, after);
  await recordEvent(ctx, { kind: 'scim_user_updated', organizationId, ids: { memberId, userId }, changes });
}

/**
 * The names and addresses that a user no longer has. The identity provider may give them to another person, who must
 * not sign in to the account by them.
 */
function namesGivenUp(former: UserData | undefined, email: string | null, data: UserData): string[] {
  const [before, after] = [former ? addressOf(former) : email, addressOf(data)];
  return [
    ...(former && !isSameText(former.userName, data.userName) ? [former.userName] : []),
    ...(isSameText(before, after) ? [] : [before, isSameText(email, after) ? null : email]),
  ].filter((name) => name !== null);
}

const isSameText = (one: string | null, other: string | null) => one?.toLowerCase() === other?.toLowerCase();

/** Members whom SCIM does not manage yet have names, too: each name finds one user. */
async function rejectTaken(ctx: Context, organizationId: string, id: string, userName: string): Promise<void> {
  await removeFormer(ctx, { organizationId }, userName);
  const [other] = await readUsers(ctx, organizationId, {
    where: sql`${isNamed(organizationId, sql`${userName}::text`)} and p.id <> ${id}`,
  });
  if (other) throw nameTakenError(userName);
}

/**
 * Forgets the subjects of SSO that have a former name, and ends what was made with them: another person may have signed
 * in by the name already. CONFLICT for an admin who has no other way to sign in, because no sign-in is linked to an
 * admin by an address.
 */
async function endFormerNames(
  ctx: Context,
  { role, memberId }: UserRow,
  account: { organizationId: string; userId: string },
  names: readonly string[],
): Promise<void> {
  if (!(await forgetSubjects(ctx, account, names))) return;
  await endSsoCredentials(ctx, account);
  if (role !== 'admin') return;
  const { rows } = await sql`
    select 1 from membership m
    where m.id = ${memberId} and ${isVouchedForBy(account.organizationId, sql`m.user_id`)}
      and not exists (
        select from sso_identity i where i.organization_id = m.organization_id and i.user_id = m.user_id)`.execute(
    ctx.db,
  );
  if (rows.length > 0)
    throw conflict(
      'This admin can only sign in with the former name or address. An administrator of the organization has to give the member another role until it has signed in with the new one.',
    );
}

/** Renames an account for which only this organization vouches. */
async function renameAccount(ctx: Context, organizationId: string, { id }: UserRow, name: string): Promise<void> {
  await ctx.db
    .updateTable('user')
    .set({ displayName: accountName(name), updatedAt: nowOf(ctx) })
    .where('id', '=', id)
    .where('displayName', '<>', accountName(name))
    .where(isVouchedForBy(organizationId, sql.ref('user.id')))
    .execute();
}

/**
 * Disables or enables a member whose attributes are stored. A member who is active again starts without the sessions
 * and tokens of SSO from before, whoever has disabled it. CONFLICT to enable a member whom an administrator has
 * disabled.
 */
async function setActive(
  ctx: Context,
  provisioned: Provisioned,
  row: UserRow,
  active: boolean | undefined,
): Promise<void> {
  if (active === undefined || (active && !row.isDisabled)) return;
  await endSsoCredentials(ctx, { organizationId: provisioned.organizationId, userId: row.id });
  if (active === !row.isDisabled) return;
  if (active && !row.hasDisabled)
    throw conflict(
      'active: an administrator of the organization has disabled this member. An administrator has to enable it again.',
    );
  const member = await lockedMember(ctx, row);
  if (!active) rejectBreakGlass(member);
  const { role, roleProviderId, organizationId, userId } = member;
  await changeMember(ctx, member, { role, roleProviderId, isDisabled: !active });
  await ctx.db
    .updateTable('scim_user')
    .set({ hasDisabled: !active, updatedAt: nowOf(ctx) })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute();
}

/** Accounts that restore access when the identity provider fails must not end with it. */
function rejectBreakGlass({ role, isBreakGlass }: MemberRow): void {
  if (role === 'admin' && isBreakGlass)
    throw conflict(
      'This admin restores access when the identity provider fails, and is neither deactivated nor removed by SCIM. An administrator of the organization has to do it.',
    );
}

async function lockedMember(ctx: Context, { id, memberId }: UserRow) {
  const member = await lockEntity(ctx, Membership, { id: memberId });
  if (!member) throw notFound('user', id);
  return member;
}
