import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';

const { app, admin, creator, editor, reader, commenter, guest, outsider, anonymous, organizationId, grant } =
  await world();

const path = (userId: string) => `/v1/orgs/${organizationId}/members/${userId}`;

test('ends access, grants and memberships of teams, and keeps content', async () => {
  const { body: space } = await creator.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide' });
  await grant(space.id, editor.userId, 'admin');
  const { body: team } = await admin.put(`/v1/orgs/${organizationId}/teams`, {
    title: 'Writers',
    members: [editor.userId, creator.userId],
  });
  expect((await admin.delete(path(creator.userId))).status).toBe(204);
  expect((await admin.delete(path(editor.userId))).status).toBe(204);
  expect((await creator.get(`/v1/spaces/${space.id}`)).status).toBe(404);
  expect((await creator.get('/v1/user')).status).toBe(200);
  expect((await admin.get(`/v1/spaces/${space.id}`)).status).toBe(200);
  expect((await admin.get(`/v1/orgs/${organizationId}/teams/${team.id}`)).body.members).toBe(1);
  expect((await admin.get(path(creator.userId))).status).toBe(404);
  expect((await admin.delete(path(creator.userId))).status).toBe(204);
  const { db } = app.services;
  // A later membership does not bring back what was granted.
  await db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId, userId: editor.userId, role: null })
    .execute();
  expect((await editor.get(`/v1/spaces/${space.id}`)).status).toBe(404);
});

test('a person who was only added as an admin can leave, and does not let the last admin leave', async () => {
  const { body: made } = await outsider.post('/v1/orgs', { title: 'Trap' });
  const members = `/v1/orgs/${made.id}/members`;
  const added = { emails: ['guest@acme.example'], role: 'admin' };
  expect((await outsider.post(`/v1/orgs/${made.id}/invites`, added)).body.users).toEqual([guest.userId]);
  expect((await outsider.delete(`${members}/${outsider.userId}`)).status).toBe(409);
  expect((await guest.delete(`${members}/${guest.userId}`)).status).toBe(204);
  await outsider.post(`/v1/orgs/${made.id}/invites`, added);
  expect((await guest.post(`/v1/orgs/${made.id}/ping`)).status).toBe(200);
  expect((await outsider.delete(`${members}/${outsider.userId}`)).status).toBe(204);
  expect((await guest.delete(`${members}/${guest.userId}`)).status).toBe(409);
});

test('members can leave, and cannot remove others', async () => {
  const { organization } = await reader.graphql(
    'query($id: ID!, $userId: ID!) { organization(id: $id) { member(userId: $userId) { id } } }',
    { id: organizationId, userId: reader.userId },
  );
  const memberId = organization.member.id;
  await expect(commenter.mutate('removeMember', { memberId }, 'deletedId')).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await guest.mutate('removeMember', { memberId }, 'deletedId')).toEqual({ deletedId: null });
  expect(await outsider.mutate('removeMember', { memberId }, 'deletedId')).toEqual({ deletedId: null });
  expect((await outsider.delete(path(reader.userId))).status).toBe(404);
  expect((await anonymous.delete(path(reader.userId))).status).toBe(401);
  const left = await reader.mutate('removeMember', { memberId }, 'deletedId organization { id }');
  expect(left).toEqual({ deletedId: memberId, organization: null });
  expect((await reader.get(`/v1/orgs/${organizationId}`)).status).toBe(404);
});

test('records events', async () => {
  await settled(app.services.db);
  const { organization } = await admin.graphql(
    'query($id: ID!) { organization(id: $id) { events(last: 20) { nodes { kind } } } }',
    { id: organizationId },
  );
  const kinds = organization.events.nodes.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['MEMBER_REMOVED', 'TEAM_CREATED']));
});
