import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { statementsOf } from '../../client.ts';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { app, organizationId, otherOrganizationId, admin, editor, reader, guest, outsider, anonymous, grant } = site;
const arrange = arrangeIn(site);
const spaceId = await arrange.space();
const path = `/v1/spaces/${spaceId}/change-requests`;
const made = await arrange.changeRequest(editor, spaceId);

const BY_ID = 'query($id: ID!) { changeRequest(id: $id) { id number } }';
const BY_NUMBER = 'query($space: ID!, $number: Int!) { space(id: $space) { changeRequest(number: $number) { id } } }';
const NODE = 'query($id: ID!) { node(id: $id) { __typename id ... on ChangeRequest { number } } }';

test('is found by id and by number on both transports, and by node', async () => {
  for (const name of [made.id, made.number]) {
    const { status, body } = await reader.restAs('getChangeRequestById', 'GET', `${path}/${name}`);
    expect(status).toBe(200);
    expect(body.id).toBe(made.id);
  }
  expect(await reader.graphql(BY_ID, { id: made.id })).toEqual({ changeRequest: made });
  const { space } = await reader.graphql(BY_NUMBER, { space: spaceId, number: made.number });
  expect(space).toEqual({ changeRequest: { id: made.id } });
  expect(await reader.graphql(NODE, { id: made.id })).toEqual({ node: { __typename: 'ChangeRequest', ...made } });
});

test('shows all fields of a merged change request', async () => {
  const merged = await arrange.changeRequest(editor, spaceId, {
    status: 'merged',
    subject: 'Done',
    description: { object: 'document', data: { schemaVersion: 8 }, nodes: [] },
    revisionMergedAncestorId: newId('rev'),
    revisionMergedId: newId('rev'),
    mergedAt: '2026-01-31T10:00:00.500Z',
    mergedBy: admin.userId,
    issuesClusterId: newId('cluster'),
  });
  const { body } = await reader.get(`${path}/${merged.number}`);
  for (const beyond of [false, true]) expectShape('getChangeRequestById', 200, body, { beyond });
  const stored = await app.services.db
    .selectFrom('change_request')
    .where('id', '=', merged.id)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(body).toMatchObject({
    status: 'merged',
    description: { object: 'document', data: { schemaVersion: 8 }, nodes: [] },
    mergedAt: '2026-01-31T10:00:00.500Z',
    mergedBy: { id: admin.userId, displayName: 'Admin' },
    revisionMergedAncestor: stored.revisionMergedAncestorId,
    revisionMerged: stored.revisionMergedId,
    conversationsIssuesCluster: stored.issuesClusterId,
  });
  const { changeRequest } = await reader.graphql(
    'query($id: ID!) { changeRequest(id: $id) { status subject description mergedAt mergedBy { id } } }',
    { id: merged.id },
  );
  expect(changeRequest).toEqual({
    status: 'MERGED',
    subject: 'Done',
    description: body.description,
    mergedAt: body.mergedAt,
    mergedBy: { id: admin.userId },
  });
});

test('leaves missing values out in REST', async () => {
  const { body } = await reader.get(`${path}/${made.id}`);
  for (const member of ['description', 'mergedAt', 'mergedBy', 'revisionMerged', 'conversationsIssuesCluster']) {
    expect(body).not.toHaveProperty(member);
  }
});

test('is outdated while the primary content is ahead of it, and never once merged', async () => {
  const moving = await arrange.space();
  const { id } = await arrange.changeRequest(editor, moving);
  const isOutdated = async () => {
    const { changeRequest } = await reader.graphql('query($id: ID!) { changeRequest(id: $id) { outdated } }', { id });
    expect((await reader.get(`/v1/spaces/${moving}/change-requests/${id}`)).body.outdated).toBe(changeRequest.outdated);
    return changeRequest.outdated;
  };
  const set = (columns: { status?: 'merged'; revisionMergedAncestorId?: string }) =>
    app.services.db.updateTable('change_request').set(columns).where('id', '=', id).execute();

  expect(await isOutdated()).toBe(false);
  await arrange.revision(editor, moving, id);
  expect(await isOutdated()).toBe(false);
  const head = await arrange.revision(editor, moving, null);
  expect(await isOutdated()).toBe(true);
  await set({ revisionMergedAncestorId: head });
  expect(await isOutdated()).toBe(false);
  await arrange.revision(editor, moving, null);
  expect(await isOutdated()).toBe(true);
  await set({ status: 'merged' });
  expect(await isOutdated()).toBe(false);
});

const theirSpace = await arrange.space({ by: outsider, organizationId: otherOrganizationId });
const theirs = await arrange.changeRequest(outsider, theirSpace);

test('does not distinguish hidden from missing', async () => {
  const absent = [
    newId('cr'),
    otherOrganizationId,
    'nothing',
    'x'.repeat(300),
    '0',
    '-1',
    '01',
    '1.0',
    '999',
    '99999999999999999999',
  ];
  for (const name of [...absent, theirs.id]) {
    const { status, body } = await reader.get(`${path}/${encodeURIComponent(name)}`);
    expect(status, name).toBe(404);
    expect(body.error.message).toBe(`The change request "${name.slice(0, 200)}" does not exist, or you cannot see it.`);
    expectShape('getChangeRequestById', status, body);
  }
  for (const id of [...absent, theirs.id, String(made.number)]) {
    expect(await reader.graphql(BY_ID, { id }), id).toEqual({ changeRequest: null });
    expect(await reader.graphql(NODE, { id }), id).toEqual({ node: null });
  }
  for (const number of [0, -1, 999, 2_147_483_647]) {
    const { space } = await reader.graphql(BY_NUMBER, { space: spaceId, number });
    expect(space).toEqual({ changeRequest: null });
  }
});

test('is not found below another space, nor by those who cannot read its space', async () => {
  const other = await arrange.space();
  expect((await reader.get(`/v1/spaces/${other}/change-requests/${made.id}`)).status).toBe(404);
  expect((await reader.get(`/v1/spaces/${theirSpace}/change-requests/${theirs.number}`)).status).toBe(404);
  for (const stranger of [outsider, guest]) {
    for (const name of [made.id, made.number]) expect((await stranger.get(`${path}/${name}`)).status).toBe(404);
    expect(await stranger.graphql(BY_ID, { id: made.id })).toEqual({ changeRequest: null });
    expect(await stranger.graphql(NODE, { id: made.id })).toEqual({ node: null });
  }
});

test('is shown to a guest with a grant on the space', async () => {
  const granted = await arrange.space();
  const { id, number } = await arrange.changeRequest(editor, granted);
  await grant(granted, guest.userId, 'read');
  expect(await guest.graphql(BY_ID, { id })).toEqual({ changeRequest: { id, number } });
  expect((await guest.get(`/v1/spaces/${granted}/change-requests/${number}`)).status).toBe(200);
});

test('is not shown by a published site', async () => {
  const shown = await arrange.space();
  const { id, number } = await arrange.changeRequest(editor, shown);
  await contentOf(app.services.db, organizationId).site({ spaces: [shown], isPublished: true });
  expect((await outsider.get(`/v1/spaces/${shown}`)).status).toBe(200);
  expect((await outsider.get(`/v1/spaces/${shown}/change-requests/${id}`)).status).toBe(404);
  expect(await outsider.graphql(BY_ID, { id })).toEqual({ changeRequest: null });
  expect(await outsider.graphql(NODE, { id })).toEqual({ node: null });
  expect(await outsider.graphql(BY_NUMBER, { space: shown, number })).toEqual({ space: { changeRequest: null } });
});

test('is hidden when its space is deleted', async () => {
  const deleted = await arrange.space();
  const { id, number } = await arrange.changeRequest(editor, deleted);
  await admin.delete(`/v1/spaces/${deleted}`);
  expect((await admin.get(`/v1/spaces/${deleted}/change-requests/${id}`)).status).toBe(404);
  expect(await admin.graphql(BY_ID, { id })).toEqual({ changeRequest: null });
  const { space } = await admin.graphql(BY_NUMBER, { space: deleted, number });
  expect(space).toEqual({ changeRequest: null });
});

test('requires a token', async () => {
  for (const name of [made.id, 'nothing']) {
    expect((await anonymous.get(`${path}/${name}`)).status).toBe(401);
    await expect(anonymous.graphql(BY_ID, { id: name })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  }
});

test('reads many by number in as many statements as one', async () => {
  const many = await arrange.space();
  for (let count = 0; count < 20; count++) await arrange.changeRequest(editor, many);
  const aliases = (count: number) =>
    Array.from({ length: count }, (_, index) => `n${index}: changeRequest(number: ${index + 1}) { number outdated }`);
  const read = (count: number) =>
    reader.graphqlRaw(`query($id: ID!) { space(id: $id) { ${aliases(count).join(' ')} } }`, { id: many });
  const [one, twenty] = [await read(1), await read(20)];
  expect(Object.keys(twenty.body.data.space)).toHaveLength(20);
  expect(twenty.body.data.space.n19).toEqual({ number: 20, outdated: false });
  expect(statementsOf(twenty)).toBe(statementsOf(one));
});
