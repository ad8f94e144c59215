import { sql } from 'kysely';
import { canonicalJson } from '../../../lib/canonical.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { ScimError } from '../../../platform/errors/scim-error.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsBetween } from '../../../platform/events/settings-changes.ts';
import type { OrganizationRow } from '../access/index.ts';
import { changeMember, endMembership, joinAs, Membership } from '../members/index.ts';
import { accountName, emailAddress, insertAccount } from '../users/index.ts';
import { type Document, documentOf } from './document.ts';
import { endSsoCredentials } from './end-sso-credentials.ts';
import type { PatchOperation } from './patch-request.ts';
import { patchUser } from './patch-user.ts';
import { type Provisioned, provision } from './provision.ts';
import { checkUser, type Email, type UserData } from './schemas.ts';
import { type UserResource, userResources, writtenUser } from './user-resource.ts';
import { readUser, readUsers, type UserRow } from './user-rows.ts';
import { checkVersion } from './version.ts';

const MAX_NAME = 256;

const taken = (userName: string) =>
  new ScimError('uniqueness', `userName: another user of this organization is named "${userName}".`);

constraintMeans('scim_user_name_unique', () => new ScimError('uniqueness', 'userName: another user has this name.'));

/**
 * Makes a user. A member whom SCIM does not manage yet and who has this name or address becomes that user: an admin could
 * change the membership as well. An account that is not a member is never used, whoever has proved the address.
 */
export async function createUser(ctx: Context, provisioned: Provisioned, body: unknown): Promise<UserResource> {
  const data = checkedUser(documentOf(body));
  return provision(ctx, provisioned, async (inside, organization) => {
    const member = (await unmanagedMember(inside, provisioned, data)) ?? (await newMember(inside, organization, data));
    await store(inside, provisioned, member, data);
    await setActive(inside, provisioned, member, data.active);
    return shown(inside, provisioned, member.id);
  });
}

/** Replaces the attributes of a user. The access stays as it is unless `active` is given. */
export const replaceUser = (
  ctx: Context,
  provisioned: Provisioned,
  name: UserName,
  body: unknown,
): Promise<UserResource> => {
  const data = checkedUser(documentOf(body));
  return changeUser(ctx, provisioned, name, () => data);
};

/** Applies operations to a user. */
export const patchUserBy = (
  ctx: Context,
  provisioned: Provisioned,
  name: UserName,
  operations: readonly PatchOperation[],
): Promise<UserResource> =>
  changeUser(ctx, provisioned, name, (row) => {
    const document: Document = structuredClone(writtenUser(row));
    patchUser(document, operations);
    return checkedUser(document);
  });

/** Removes a user from the organization. The account, and what it has written, stay. */
export const deleteUser = (ctx: Context, provisioned: Provisioned, name: UserName): Promise<void> =>
  provision(ctx, provisioned, async (inside) => {
    const row = await existing(inside, provisioned, name);
    const member = await lockedMember(inside, row);
    await endSsoCredentials(inside, provisioned, row.id);
    await endMembership(inside, member);
    // Otherwise the next sign-in would make the former account a member again, beside the one that SCIM makes.
    await inside.db
      .deleteFrom('sso_identity')
      .where('organizationId', '=', provisioned.organizationId)
      .where('userId', '=', row.id)
      .execute();
  });

/** A user that a request is about, with its header `If-Match`. */
export interface UserName {
  id: string;
  ifMatch: string | undefined;
}

function changeUser(
  ctx: Context,
  provisioned: Provisioned,
  name: UserName,
  next: (row: UserRow) => UserData,
): Promise<UserResource> {
  return provision(ctx, provisioned, async (inside) => {
    const row = await existing(inside, provisioned, name);
    await update(inside, provisioned, row, next(row));
    return shown(inside, provisioned, row.id);
  });
}

/** The user as of now, with the version that the request expects. */
async function existing(ctx: Context, provisioned: Provisioned, { id, ifMatch }: UserName): Promise<UserRow> {
  const row = await readUser(ctx, provisioned.organizationId, id);
  if (!row) throw notFound('user', id);
  if (ifMatch === undefined) return row;
  const [resource] = await userResources(ctx, provisioned, [row]);
  checkVersion(ifMatch, resource?.meta.version ?? '');
  return row;
}

async function shown(ctx: Context, provisioned: Provisioned, id: string): Promise<UserResource> {
  const row = await readUser(ctx, provisioned.organizationId, id);
  const [resource] = row ? await userResources(ctx, provisioned, [row]) : [];
  if (!resource) throw notFound('user', id);
  return resource;
}

/** A user with a name that can be one, and addresses that can be such. */
function checkedUser(document: Document): UserData {
  const data = checkUser(document);
  const { userName, externalId } = data;
  if (userName.trim() === '' || userName.length > MAX_NAME)
    throw new ScimError('invalidValue', `userName: must have 1 to ${MAX_NAME} characters that are not only spaces.`);
  if (externalId !== undefined && externalId.length > MAX_NAME)
    throw new ScimError('invalidValue', `externalId: must be at most ${MAX_NAME} characters long.`);
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

/** The member that becomes a new user, if one has the name or address. `uniqueness` if the name is taken. */
async function unmanagedMember(
  ctx: Context,
  { organizationId }: Provisioned,
  data: UserData,
): Promise<UserRow | undefined> {
  const { userName } = data;
  const named = await readUsers(ctx, organizationId, {
    where: sql`lower(p.user_name) = lower(${userName})`,
    limit: 2,
  });
  if (named.some(({ profile }) => profile !== null)) throw taken(userName);
  const address = addressOf(data);
  const found =
    named.length > 0 || address === null
      ? named
      : await readUsers(ctx, organizationId, {
          where: sql`p.profile is null and lower(p.email) = lower(${address})`,
          limit: 2,
        });
  if (found.length > 1)
    throw new ScimError('uniqueness', `userName: several members have the name or address of "${userName}".`);
  return found[0];
}

async function newMember(ctx: Context, organization: OrganizationRow, data: UserData): Promise<UserRow> {
  const { id: organizationId, defaultRole } = organization;
  const userId = await insertAccount(ctx, nameOf(data));
  const email = addressOf(data);
  await joinAs(ctx, { organizationId, userId, role: defaultRole, isSso: true, email });
  const row = await readUser(ctx, organizationId, userId);
  if (!row) throw new Error('A new member is in the organization.');
  return { ...row, hasMadeAccount: true };
}

/** Stores the attributes of a member, and gives or ends its access. */
async function update(ctx: Context, provisioned: Provisioned, row: UserRow, data: UserData): Promise<void> {
  const { active, ...attributes } = data;
  const { active: _active, ...before } = writtenUser(row);
  if (canonicalJson(attributes) !== canonicalJson(before)) await store(ctx, provisioned, row, data);
  await setActive(ctx, provisioned, row, active);
}

async function store(ctx: Context, { organizationId }: Provisioned, row: UserRow, data: UserData): Promise<void> {
  const { active: _active, userName, externalId = null, ...profile } = data;
  if (userName.toLowerCase() !== row.userName.toLowerCase()) await rejectTaken(ctx, organizationId, row.id, userName);
  const { id: userId, memberId, hasMadeAccount } = row;
  const now = nowOf(ctx);
  const values = { userName, externalId, profile: JSON.stringify(profile) as never, updatedAt: now }; // as jsonb
  await ctx.db
    .insertInto('scim_user')
    .values({ organizationId, userId, hasMadeAccount, createdAt: now, ...values })
    .onConflict((conflict) => conflict.columns(['organizationId', 'userId']).doUpdateSet(values))
    .execute();
  const email = addressOf(data);
  if (email !== null && email !== row.email)
    await ctx.db.updateTable('membership').set({ email }).where('id', '=', memberId).execute();
  if (hasMadeAccount) await renameAccount(ctx, organizationId, row, nameOf(data));
  const before = row.profile === null ? {} : { userName: row.userName, externalId: row.externalId };
  const changes = settingsBetween(before, { userName, externalId });
  await recordEvent(ctx, { kind: 'scim_user_updated', organizationId, ids: { memberId, userId }, changes });
}

/** Members whom SCIM does not manage yet have names, too: each name finds one user. */
async function rejectTaken(ctx: Context, organizationId: string, id: string, userName: string): Promise<void> {
  const [other] = await readUsers(ctx, organizationId, {
    where: sql`lower(p.user_name) = lower(${userName}) and p.id <> ${id}`,
  });
  if (other) throw taken(userName);
}

/** Renames an account that SCIM has made, unless its owner has verified an address or it belongs to another organization. */
async function renameAccount(ctx: Context, organizationId: string, { id }: UserRow, name: string): Promise<void> {
  await ctx.db
    .updateTable('user')
    .set({ displayName: accountName(name), updatedAt: nowOf(ctx) })
    .where('id', '=', id)
    .where('email', 'is', null)
    .where('displayName', '<>', accountName(name))
    .where((its) =>
      its.not(
        its.exists(
          its.selectFrom('membership as m').where('m.userId', '=', id).where('m.organizationId', '<>', organizationId),
        ),
      ),
    )
    .execute();
}

async function setActive(
  ctx: Context,
  provisioned: Provisioned,
  row: UserRow,
  active: boolean | undefined,
): Promise<void> {
  if (active === undefined || active === !row.isDisabled) return;
  const member = await lockedMember(ctx, row);
  const { role, roleProviderId } = member;
  await changeMember(ctx, member, { role, roleProviderId, isDisabled: !active });
  if (!active) await endSsoCredentials(ctx, provisioned, row.id);
}

async function lockedMember(ctx: Context, { id, memberId }: UserRow) {
  const member = await lockEntity(ctx, Membership, { id: memberId });
  if (!member) throw notFound('user', id);
  return member;
}
