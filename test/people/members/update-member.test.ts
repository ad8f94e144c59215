import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const { admin, creator, editor, reader, guest, outsider, anonymous, organizationId, otherOrganizationId } =
  await world();

const path = (userId: string) => `/v1/orgs/${organizationId}/members/${userId}`;

test('changes the role, and the access with it at once', async () => {
  expect((await reader.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Mine' })).status).toBe(403);
  const { status, body } = await admin.restAs('updateMemberInOrganizationById', 'PATCH', path(reader.userId), {
    role: 'create',
  });
  expect([status, body.role]).toEqual([200, 'create']);
  expect((await reader.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Mine' })).status).toBe(201);
  const name = { organizationId, userId: reader.userId };
  const { member } = await admin.mutate('updateMember', { ...name, role: 'READ' }, 'member { id role }');
  expect(member.role).toBe('READ');
  const byId = await admin.mutate('updateMember', { memberId: member.id, role: null }, 'member { role }');
  expect(byId.member.role).toBeNull();
  expect((await reader.get(`/v1/orgs/${organizationId}/members`)).status).toBe(403);
});

test('disables and enables a member, who keeps the role', async () => {
  expect((await editor.get(`/v1/orgs/${organizationId}`)).status).toBe(200);
  const { body } = await admin.patch(path(editor.userId), { disabled: true });
  expect(body).toMatchObject({ disabled: true, role: 'edit' });
  expect((await editor.get(`/v1/orgs/${organizationId}`)).status).toBe(404);
  expect((await editor.get('/v1/orgs')).body.count).toBe(0);
  expect((await admin.patch(path(editor.userId), { disabled: false })).body.disabled).toBe(false);
  expect((await editor.get(`/v1/orgs/${organizationId}`)).status).toBe(200);
});

test('changes nothing with an empty body, and ignores unknown properties', async () => {
  const before = (await admin.get(path(creator.userId))).body;
  const { status, body } = await admin.patch(path(creator.userId), { isOperator: true, userId: outsider.userId });
  expect([status, body]).toEqual([200, before]);
});

test('keeps the last admin, also if two admins demote each other', async () => {
  const bodies = [{ role: 'read' }, { role: null }, { disabled: true }];
  for (const body of bodies) expect((await admin.patch(path(admin.userId), body)).status).toBe(409);
  expect((await admin.delete(path(admin.userId))).status).toBe(409);
  expect((await admin.patch(path(creator.userId), { role: 'admin' })).status).toBe(200);
  const statuses = await Promise.all([
    admin.patch(path(creator.userId), { role: 'create' }),
    creator.patch(path(admin.userId), { role: 'create' }),
  ]);
  const done = statuses.filter(({ status }) => status === 200);
  expect(done).toHaveLength(1);
  // The one who lost the role gets it back, for the next tests.
  const [remaining, demoted] = statuses[0]?.status === 200 ? [admin, creator] : [creator, admin];
  await remaining.patch(path(demoted.userId), { role: 'admin' });
  expect((await admin.patch(path(creator.userId), { role: 'create' })).status).toBe(200);
});

test('a disabled admin does not count', async () => {
  await admin.patch(path(creator.userId), { role: 'admin' });
  await admin.patch(path(creator.userId), { disabled: true });
  expect((await admin.patch(path(admin.userId), { role: 'read' })).status).toBe(409);
  await admin.patch(path(creator.userId), { disabled: false, role: 'create' });
});

test.each([
  [creator, 403],
  [guest, 404],
  [outsider, 404],
  [anonymous, 401],
])('is only for admins', async (caller, status) => {
  expect((await caller.patch(path(editor.userId), { role: 'admin' })).status).toBe(status);
  expect((await creator.patch(path(creator.userId), { role: 'admin' })).status).toBe(403);
  expect((await admin.get(path(editor.userId))).body.role).toBe('edit');
});

test.each([{ role: 'owner' }, { role: 'none' }, { role: 1 }, { disabled: 'yes' }, { disabled: null }])(
  'rejects %j',
  async (body) => {
    const answer = await admin.patch(path(editor.userId), body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.issues[0].path).toEqual(Object.keys(body));
  },
);

test('requires a member of the named organization', async () => {
  expect((await admin.patch(path(outsider.userId), { role: 'read' })).status).toBe(404);
  const foreign = { organizationId: otherOrganizationId, userId: outsider.userId, role: 'READ' };
  await expect(admin.mutate('updateMember', foreign, 'member { id }')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(admin.mutate('updateMember', { role: 'READ' }, 'member { id }')).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
});
