import { expect, test } from 'vitest';
import { removeOrphanedLinks } from '../../../src/domain/places/link-invites/remove-orphaned-links.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';

const {
  app,
  admin,
  creator,
  editor,
  reader,
  guest,
  outsider,
  anonymous,
  organizationId,
  otherOrganizationId,
  advance,
} = await world();

const all = `/v1/orgs/${organizationId}/link-invites`;
const join = (id: string, organization = organizationId) => `/v1/orgs/${organization}/invites/${id}`;
const make = async (body: object, by = admin) => {
  const answer = await by.restAs('createOrganizationInvite', 'POST', all, body, { beyond: true });
  expect(answer.status).toBe(201);
  return answer.body;
};
const member = async (userId: string) => (await admin.get(`/v1/orgs/${organizationId}/members/${userId}`)).body;
const leave = (userId: string) => admin.delete(`/v1/orgs/${organizationId}/members/${userId}`);
const { body: space } = await creator.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide', empty: true });
const { body: collection } = await creator.post(`/v1/orgs/${organizationId}/collections`, { title: 'Shelf' });

test('a link to the organization makes members', async () => {
  const made = await make({ role: 'comment' });
  expect(made).toMatchObject({
    object: 'invite',
    id: expect.stringMatching(/^invite_/),
    role: 'comment',
    redundant: false,
    uses: 0,
  });
  const { status, body } = await outsider.restAs('joinOrganizationWithInvite', 'POST', join(made.id), undefined, {
    beyond: true,
  });
  expect([status, body]).toEqual([200, {}]);
  expect(await member(outsider.userId)).toMatchObject({ role: 'comment' });
  await outsider.post(join(made.id));
  expect((await admin.get(`${all}/${made.id}`)).body.uses).toBe(1);
  const weaker = await make({ role: 'read' });
  await outsider.post(join(weaker.id));
  expect(await member(outsider.userId)).toMatchObject({ role: 'comment' });
  const { organization } = await outsider.mutate(
    'joinWithLinkInvite',
    { inviteId: (await make({ role: 'edit' })).id },
    'organization { id }',
  );
  expect(organization).toEqual({ id: organizationId });
  expect(await member(outsider.userId)).toMatchObject({ role: 'edit' });
  await leave(outsider.userId);
});

test('a link to a space or collection makes guests with a role there', async () => {
  const toSpace = await make({ level: 'edit', space: space.id }, creator);
  expect(toSpace).toMatchObject({ level: 'edit', role: null, space: { id: space.id } });
  await outsider.post(join(toSpace.id));
  expect(await member(outsider.userId)).toMatchObject({ role: null, spaces: 1 });
  expect((await outsider.get(`/v1/spaces/${space.id}`)).body.permissions).toMatchObject({ edit: true, admin: false });
  // A lower role takes nothing away.
  await outsider.post(join((await make({ level: 'read', space: space.id })).id));
  expect((await outsider.get(`/v1/spaces/${space.id}`)).body.permissions.edit).toBe(true);
  const toCollection = await make({ level: 'create', collection: collection.id });
  await outsider.post(join(toCollection.id));
  expect((await outsider.get(`/v1/collections/${collection.id}`)).body.permissions.create).toBe(true);
  await leave(outsider.userId);
});

test('lists, changes and deletes links', async () => {
  const made = await make({ role: 'read' });
  expect((await make({ role: 'read' })).redundant || (await admin.get(`${all}/${made.id}`)).body.redundant).toBe(true);
  const listed = await admin.restAs('listOrganizationInviteLinks', 'GET', all, undefined, { beyond: true });
  expect(listed.body.items.map(({ id }: { id: string }) => id)).toContain(made.id);
  const ofSpace = await creator.get(`${all}?space=${space.id}`);
  expect(ofSpace.body.items.every((item: { space: { id: string } }) => item.space.id === space.id)).toBe(true);
  expect(ofSpace.body.count).toBe(2);
  const changed = await admin.restAs(
    'updateOrganizationInviteById',
    'PATCH',
    `${all}/${made.id}`,
    { role: 'review' },
    { beyond: true },
  );
  expect(changed.body.role).toBe('review');
  expect((await admin.patch(`${all}/${made.id}`, { level: 'read' })).status).toBe(400);
  const { linkInvite } = await admin.mutate(
    'updateLinkInvite',
    { inviteId: made.id, role: null },
    'linkInvite { role level uses }',
  );
  expect(linkInvite).toEqual({ role: null, level: null, uses: 0 });
  const look =
    'query($id: ID!) { node(id: $id) { __typename } organization(id: "ORG") { linkInvites { nodes { id } } } }'.replace(
      'ORG',
      organizationId,
    );
  expect((await admin.graphql(look, { id: made.id })).node).toEqual({ __typename: 'LinkInvite' });
  expect((await admin.restAs('deleteOrganizationInviteById', 'DELETE', `${all}/${made.id}`)).status).toBe(204);
  expect((await admin.delete(`${all}/${made.id}`)).status).toBe(204);
  expect((await outsider.post(join(made.id))).status).toBe(404);
});

test('a link does not work when it has expired, was turned off, or leads nowhere', async () => {
  const expiresAt = new Date(app.services.clock().getTime() + 60_000).toISOString();
  const [brief, lasting] = [await make({ role: 'read', expiresAt }), await make({ role: 'read' })];
  const { body: gone } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Gone', empty: true });
  const toGone = await make({ level: 'read', space: gone.id });
  await admin.delete(`/v1/spaces/${gone.id}`);
  expect((await outsider.post(join(toGone.id))).status).toBe(404);
  advance(61_000);
  expect((await outsider.post(join(brief.id))).status).toBe(404);
  await admin.patch(`/v1/orgs/${organizationId}`, { inviteLinks: false });
  expect((await outsider.post(join(lasting.id))).status).toBe(404);
  expect((await admin.post(all, { role: 'read' })).status).toBe(403);
  await admin.patch(`/v1/orgs/${organizationId}`, { inviteLinks: true });
  expect((await outsider.post(join(lasting.id, otherOrganizationId))).status).toBe(404);
  expect((await outsider.post(join(newId('invite')))).status).toBe(404);
  expect((await anonymous.post(join(lasting.id))).status).toBe(401);
  expect((await outsider.post(join(lasting.id))).status).toBe(200);
  await admin.patch(`/v1/orgs/${organizationId}/members/${outsider.userId}`, { disabled: true });
  expect((await outsider.post(join(lasting.id))).status).toBe(403);
  await leave(outsider.userId);
});

test('requires admin where the link leads', async () => {
  const toSpace = await make({ level: 'read', space: space.id }, creator);
  const toAll = await make({ role: 'read' });
  for (const [caller, status] of [
    [editor, 403],
    [guest, 403],
    [outsider, 404],
    [anonymous, 401],
  ] as const) {
    expect((await caller.post(all, { role: 'admin' })).status).toBe(status);
    expect((await caller.get(all)).status).toBe(status);
  }
  expect((await editor.post(all, { level: 'admin', space: space.id })).status).toBe(403);
  expect((await creator.post(all, { role: 'read' })).status).toBe(403);
  for (const [caller, status] of [
    [editor, 204],
    [reader, 204],
    [outsider, 404],
  ] as const) {
    expect((await caller.get(`${all}/${toSpace.id}`)).status).toBe(404);
    expect((await caller.patch(`${all}/${toSpace.id}`, { level: 'admin' })).status).toBe(404);
    expect((await caller.delete(`${all}/${toSpace.id}`)).status).toBe(status);
  }
  expect((await creator.get(`${all}/${toSpace.id}`)).status).toBe(200);
  expect((await creator.get(`${all}/${toAll.id}`)).status).toBe(404);
});

test('does not lead to places of other organizations, and rejects what is incomplete', async () => {
  const { body: theirs } = await outsider.post(`/v1/orgs/${otherOrganizationId}/spaces`, {
    title: 'Theirs',
    empty: true,
  });
  const faults = [
    [{ level: 'read', space: theirs.id }, 'space'],
    [{ level: 'read', space: newId('space') }, 'space'],
    [{ level: 'read', collection: newId('collection') }, 'collection'],
    [{ space: space.id }, 'level'],
    [{ level: null, space: space.id }, 'level'],
    [{ level: 'read', space: space.id, collection: collection.id }, 'collection'],
    [{ role: 'owner' }, 'role'],
    [{ role: 'read', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ role: 'read', expiresAt: 'soon' }, 'expiresAt'],
    [{ role: 'read', expiresAt: '9999-12-31T23:59:59-01:00' }, 'expiresAt'],
  ] as const;
  for (const [body, path] of faults) {
    const answer = await admin.post(all, body);
    expect([body, answer.status, answer.body.error.issues[0].path]).toEqual([body, 400, [path]]);
  }
});

test('a link of a demoted admin is not usable, and makes no other link redundant', async () => {
  await admin.patch(`/v1/orgs/${organizationId}/members/${creator.userId}`, { role: 'admin' });
  const strong = await make({ role: 'edit' }, creator);
  const weak = await make({ role: 'read' });
  const shown = async ({ id }: { id: string }) => {
    const { isUsable, redundant } = (await admin.get(`${all}/${id}`)).body;
    const { node } = await admin.graphql(`{ node(id: "${id}") { ... on LinkInvite { isUsable redundant } } }`);
    expect(node).toEqual({ isUsable, redundant });
    return { isUsable, redundant };
  };
  expect([await shown(strong), await shown(weak)]).toMatchObject([
    { isUsable: true },
    { isUsable: true, redundant: true },
  ]);
  for (const { id } of (await admin.get(all)).body.items)
    if (![strong.id, weak.id].includes(id)) await admin.delete(`${all}/${id}`);
  expect(await shown(weak)).toEqual({ isUsable: true, redundant: true });
  await admin.patch(`/v1/orgs/${organizationId}/members/${creator.userId}`, { role: 'create' });
  expect(await shown(strong)).toEqual({ isUsable: false, redundant: false });
  expect(await shown(weak)).toEqual({ isUsable: true, redundant: false });
});

test('links to a collection end with it', async () => {
  const { body: shelf } = await creator.post(`/v1/orgs/${organizationId}/collections`, { title: 'Brief' });
  const { id } = await make({ level: 'read', collection: shelf.id });
  expect((await admin.delete(`/v1/collections/${shelf.id}`)).status).toBe(204);
  expect((await admin.get(`${all}/${id}`)).status).toBe(404);
});

test('links that earlier versions left when their collection was deleted are removed', async () => {
  const { db, ...services } = app.services;
  const [left, kept, toSpace] = [
    await make({ level: 'read', collection: collection.id }),
    await make({ level: 'read', collection: collection.id }),
    await make({ level: 'read', space: space.id }),
  ];
  const gone = { collectionId: newId('collection') };
  await db.updateTable('link_invite').set(gone).where('id', '=', left.id).execute();
  expect(await removeOrphanedLinks.countRows(db)).toBe(1);
  const run = { signal: new AbortController().signal, retries: 0 };
  await removeOrphanedLinks.run(jobContext({ ...services, db }, 'job-test'), {}, run);
  expect(await removeOrphanedLinks.countRows(db)).toBe(0);
  const statuses = [left, kept, toSpace].map(async ({ id }) => (await admin.get(`${all}/${id}`)).status);
  expect(await Promise.all(statuses)).toEqual([404, 200, 200]);
});

test('events do not contain the secret id', async () => {
  const { id } = await make({ role: 'read' });
  await settled(app.services.db);
  const { organization } = await admin.graphql(
    'query($id: ID!) { organization(id: $id) { events(last: 50) { nodes { kind ids } } } }',
    { id: organizationId },
  );
  expect(organization.events.nodes.map(({ kind }: { kind: string }) => kind)).toContain('LINK_INVITE_CREATED');
  expect(JSON.stringify(organization.events)).not.toContain(id);
});

test('nobody takes back a role with a link of their own', async () => {
  await admin.post(`/v1/spaces/${space.id}/permissions`, { users: [reader.userId], role: 'admin' });
  const own = await make({ level: 'admin', space: space.id }, reader);
  await admin.delete(`/v1/spaces/${space.id}/permissions/users/${reader.userId}`);
  expect((await reader.post(join(own.id))).status).toBe(200);
  expect((await reader.get(`/v1/spaces/${space.id}`)).body.permissions.admin).toBe(false);
});

test('the links of a member end with the membership', async () => {
  await admin.post(`/v1/spaces/${space.id}/permissions`, { users: [editor.userId], role: 'admin' });
  const own = await make({ level: 'admin', space: space.id }, editor);
  await leave(editor.userId);
  expect((await editor.post(join(own.id))).status).toBe(404);
  expect((await outsider.post(join(own.id))).status).toBe(404);
});
