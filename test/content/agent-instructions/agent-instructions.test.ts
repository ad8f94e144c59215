import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const { admin, creator, outsider, anonymous, organizationId } = await world();

const path = `/v1/orgs/${organizationId}/agent-instructions`;
const select = `query($id: ID!) { organization(id: $id) { agentInstructions { markdown document updatedAt updatedBy { id } } } }`;
const paragraph = (text: string) => ({
  object: 'document',
  nodes: [
    { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }] },
  ],
});

test('are empty until they are set', async () => {
  const { body } = await admin.restAs('getOrganizationAgentInstructions', 'GET', path);
  expect(body).toMatchObject({
    object: 'agent-instructions',
    instructions: { object: 'document', nodes: [] },
    updatedBy: '',
  });
  const { organization } = await admin.graphql(select, { id: organizationId });
  expect(organization.agentInstructions).toMatchObject({ markdown: '', updatedBy: null });
});

test('are replaced by either transport, and read by the other', async () => {
  const set = await admin.restAs('updateOrganizationAgentInstructions', 'PUT', path, {
    instructions: paragraph('Write short sentences.'),
  });
  expect(set.body).toMatchObject({ updatedBy: admin.userId, instructions: { nodes: [{ type: 'paragraph' }] } });
  const read = async () => (await admin.graphql(select, { id: organizationId })).organization.agentInstructions;
  expect(await read()).toMatchObject({ markdown: 'Write short sentences.\n', updatedBy: { id: admin.userId } });
  const instructions = { markdown: 'Use **active** voice.' };
  const selection = 'agentInstructions { markdown }';
  expect(await admin.mutate('updateAgentInstructions', { organizationId, instructions }, selection)).toEqual({
    agentInstructions: { markdown: 'Use **active** voice.\n' },
  });
  expect(JSON.stringify((await admin.get(path)).body.instructions)).toContain('bold');
});

test('honor If-Match', async () => {
  const etag = String((await admin.get(path)).headers.get('etag'));
  const put = (match: string) => admin.send('PUT', path, { instructions: paragraph('Once.') }, { 'if-match': match });
  expect((await put(etag)).status).toBe(200);
  expect((await put(etag)).status).toBe(412);
});

test('are set once with an idempotency key', async () => {
  const put = () =>
    admin.send('PUT', path, { instructions: paragraph('Twice.') }, { 'idempotency-key': 'instructions' });
  const first = await put();
  expect(first.status).toBe(200);
  const again = await put();
  expect([again.status, again.body]).toEqual([200, first.body]);
});

test('reject what is no document', async () => {
  for (const instructions of [
    undefined,
    'Write.',
    { object: 'document', nodes: [{ object: 'block', type: 'dance' }] },
  ]) {
    const { status, body } = await admin.put(path, { instructions });
    expect([instructions, status]).toEqual([instructions, 400]);
    expect(body.error.issues[0].path[0]).toBe('instructions');
  }
});

test('are for admins', async () => {
  for (const [caller, status] of [
    [creator, 403],
    [outsider, 404],
    [anonymous, 401],
  ] as const) {
    expect((await caller.get(path)).status).toBe(status);
    expect((await caller.put(path, { instructions: paragraph('Mine.') })).status).toBe(status);
  }
  await expect(creator.graphql(select, { id: organizationId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
