import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Client } from '../../client.ts';
import { world } from '../../world.ts';

// Invitations and invite links of admins who lose access, and invitations to members who do.

const { app, admin, creator: former, outsider, anonymous, organizationId } = await world();
const { db } = app.services;

const path = `/v1/orgs/${organizationId}`;
const invites = `${path}/invites`;
const memberOf = (userId: string) => `${path}/members/${userId}`;
const setDisabled = async (userId: string, disabled: boolean) =>
  expect((await admin.patch(memberOf(userId), { disabled })).status).toBe(200);

interface Invitation {
  id: string;
  secret: string;
}

/** An invitation whose link the inviting admin reads. */
async function invite(by: Client, email: string, role: string | null = null): Promise<Invitation> {
  expect((await by.post(invites, { emails: [email], role })).body).toMatchObject({ invited: 1 });
  const { items } = (await by.get(invites)).body;
  const { id, url: link } = items.find((item: { email: string }) => item.email === email);
  return { id, secret: link.split('.').at(-1) };
}

const accept = ({ id, secret }: Invitation, by = anonymous) => by.post(`/v1/invites/${id}/accept`, { secret });

/** Whether the page of the link says whose it is. */
async function isShown({ id, secret }: Invitation): Promise<boolean> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: app.services.config.publicUrl };
  const form = `inviteId=${id}&secret=${secret}`;
  return (await anonymous.send('POST', '/invite/details', form, headers)).status === 200;
}

await admin.patch(path, { inviteLinks: true });
await admin.patch(memberOf(former.userId), { role: 'admin' });

test('a disabled admin does not come back by an own invite link with another account', async () => {
  const { body: link } = await former.post(`${path}/link-invites`, { role: 'admin' });
  const { body: space } = await former.post(`${path}/spaces`, { title: 'Guide' });
  const { body: toSpace } = await former.post(`${path}/link-invites`, { space: space.id, level: 'admin' });
  await setDisabled(former.userId, true);
  for (const { id } of [link, toSpace]) expect((await outsider.post(`${path}/invites/${id}`)).status).toBe(404);
  expect((await admin.get(memberOf(outsider.userId))).status).toBe(404);
  await setDisabled(former.userId, false);
  expect((await outsider.post(`${path}/invites/${link.id}`)).status).toBe(200);
  expect((await admin.get(memberOf(outsider.userId))).body.role).toBe('admin');
  await admin.delete(memberOf(outsider.userId));
});

test('a disabled admin does not come back by an own invitation by email', async () => {
  const invitation = await invite(former, 'private@home.example', 'admin');
  await setDisabled(former.userId, true);
  expect([(await accept(invitation)).status, (await accept(invitation, outsider)).status]).toEqual([404, 404]);
  expect(await isShown(invitation)).toBe(false);
  await setDisabled(former.userId, false);
  expect(await isShown(invitation)).toBe(true);
  expect((await accept(invitation)).status).toBe(200);
});

test('a demoted admin does not come back by own links or invitations with another account', async () => {
  const setRole = async (role: string) =>
    expect((await admin.patch(memberOf(former.userId), { role })).status).toBe(200);
  const { body: link } = await former.post(`${path}/link-invites`, { role: 'admin' });
  const { body: space } = await admin.post(`${path}/spaces`, { title: 'Guide' });
  const { body: toSpace } = await former.post(`${path}/link-invites`, { space: space.id, level: 'admin' });
  const invitation = await invite(former, 'second@home.example', 'admin');
  const isUsable = async () =>
    (await admin.get(invites)).body.items.find(({ id }: { id: string }) => id === invitation.id).isUsable;
  expect(await isUsable()).toBe(true);
  await setRole('read');
  expect(await isUsable()).toBe(false);
  for (const { id } of [link, toSpace]) expect((await outsider.post(`${path}/invites/${id}`)).status).toBe(404);
  expect([(await accept(invitation)).status, await isShown(invitation)]).toEqual([404, false]);
  await admin.patch(`/v1/spaces/${space.id}/permissions/users/${former.userId}`, { role: 'admin' });
  expect((await outsider.post(`${path}/invites/${link.id}`)).status).toBe(404);
  expect((await outsider.post(`${path}/invites/${toSpace.id}`)).status).toBe(200);
  await admin.delete(memberOf(outsider.userId));
  await setRole('admin');
  expect((await accept(invitation)).status).toBe(200);
});

const disableFormer = () => db.updateTable('membership').set({ isDisabled: true }).where('userId', '=', former.userId);
const withdraw = ({ id }: Invitation) =>
  db.updateTable('email_invite').set({ expiresAt: new Date().toISOString() }).where('id', '=', id);

test.each([
  ['whose inviter is disabled', disableFormer],
  ['that is withdrawn', withdraw],
])('an invitation %s while its acceptance waits for the access is refused', async (what, change) => {
  const invitation = await invite(former, `${what.split(' ').at(-1)}-second@home.example`, 'admin');
  let answer: ReturnType<typeof accept> | undefined;
  await db.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('access_version')
      .where('organizationId', '=', organizationId)
      .select('version')
      .forUpdate()
      .execute();
    answer = accept(invitation);
    await expect.poll(waitingForLocks).toBe(1);
    await transaction.executeQuery(change(invitation).compile());
  });
  expect((await answer)?.status).toBe(404);
  await setDisabled(former.userId, false);
});

async function waitingForLocks(): Promise<number | undefined> {
  const row = await db
    .selectFrom('pg_stat_activity' as never) // a view of the server's own
    .where('wait_event_type' as never, '=', 'Lock' as never)
    .where(sql<boolean>`datname = current_database()`)
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .executeTakeFirst();
  return row && Number(row.waiting);
}

test('the invitations of a member end with the membership, and do not come back with another one', async () => {
  const invitation = await invite(former, 'third@home.example', 'admin');
  const other = await invite(admin, 'fourth@home.example');
  expect((await admin.delete(memberOf(former.userId))).status).toBe(204);
  const { items } = (await admin.get(invites)).body;
  expect(items.map(({ email }: { email: string }) => email)).toEqual(['fourth@home.example']);
  expect((await accept(invitation, former)).status).toBe(404);
  await admin.post(invites, { emails: ['creator@acme.example'], role: 'admin' });
  expect((await admin.get(memberOf(former.userId))).body.role).toBe('admin');
  expect((await accept(invitation)).status).toBe(404);
  expect((await accept(other)).status).toBe(200);
});

test.each([
  ['removed', (userId: string) => admin.delete(memberOf(userId))],
  ['disabled', (userId: string) => admin.patch(memberOf(userId), { disabled: true })],
])(
  'an invitation to a member who is %s does not make the person a member again with another account',
  async (how, end) => {
    const email = `${how}@home.example`;
    // An admin who is no operator cannot verify the address, so that it can be invited again.
    const { body: joined } = await accept(await invite(former, email));
    const pending = await invite(former, email.toUpperCase(), 'edit');
    expect((await end(joined.user)).status).toBeLessThan(300);
    expect((await accept(pending)).status).toBe(404);
    expect((await accept(await invite(former, email))).status).toBe(200);
  },
);
