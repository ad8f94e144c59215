import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import type { Client } from '../../client.ts';
import { world } from '../../world.ts';

const { admin, reader, guest, outsider, anonymous, organizationId, app } = await world();
const { db } = app.services;

// The rooms that edit members, teams and sites come later: what they will make is written as rows.
const membership = await db
  .selectFrom('membership')
  .where('userId', '=', reader.userId)
  .select('id')
  .executeTakeFirstOrThrow();
const teamId = newId('team');
await db.insertInto('team').values({ id: teamId, organizationId, title: 'Writers' }).execute();
await db.insertInto('team_member').values({ teamId, userId: reader.userId, organizationId, role: 'owner' }).execute();
const { space } = await admin.mutate('createSpace', { organizationId, title: 'Shown' }, 'space { id }');
const [siteId, linkId] = [newId('site'), newId('sitespace')];
await db.insertInto('site').values({ id: siteId, organizationId, title: 'Help' }).execute();
await db
  .insertInto('site_space')
  .values({ id: linkId, organizationId, siteId, spaceId: space.id, path: 'help', rank: 'a' })
  .execute();

const FIELDS = `__typename id
  ... on Member { userId role disabled sso joinedAt lastSeenAt user { displayName } }
  ... on Team { title membersCount permissions { view admin } }
  ... on Site { title visibility published }
  ... on SiteSpace { path default space { title } site { title } }`;

const node = async (by: Client, id: string) =>
  (await by.graphql(`query($id: ID!) { node(id: $id) { ${FIELDS} } }`, { id })).node;

test('members, teams, sites and site spaces are read by their ids', async () => {
  expect(await node(admin, membership.id)).toMatchObject({
    __typename: 'Member',
    userId: reader.userId,
    role: 'READ',
    disabled: false,
    user: { displayName: 'Reader' },
  });
  expect(await node(reader, teamId)).toMatchObject({
    title: 'Writers',
    membersCount: 1,
    permissions: { view: true, admin: true },
  });
  expect(await node(reader, siteId)).toMatchObject({
    __typename: 'Site',
    title: 'Help',
    visibility: 'PUBLIC',
    published: false,
  });
  expect(await node(reader, linkId)).toMatchObject({
    path: 'help',
    space: { title: 'Shown' },
    site: { title: 'Help' },
  });
});

test.each([membership.id, teamId, siteId, linkId])('outsiders cannot see %s', async (id) => {
  expect(await node(outsider, id)).toBeNull();
  await expect(node(anonymous, id)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('guests see neither other members nor sites, nor teams that they do not belong to', async () => {
  expect(await node(guest, membership.id)).toBeNull();
  expect(await node(guest, teamId)).toBeNull();
  expect((await guest.get(`/v1/orgs/${organizationId}/teams/${teamId}`)).status).toBe(404);
  expect((await guest.get(`/v1/orgs/${organizationId}/teams/${teamId}/members`)).status).toBe(404);
  expect(await node(guest, siteId)).toBeNull();
  expect(await node(guest, linkId)).toBeNull();
});
