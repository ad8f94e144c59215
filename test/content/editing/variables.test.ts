import { describe, expect, test } from 'vitest';
import { world } from '../../world.ts';
import { aSpace, editBy, proposeBy } from './arrange.ts';

const { admin, editor, commenter, reader, organizationId } = await world();
const { spaceId } = await aSpace(admin, organizationId);
const edit = editBy(spaceId);
const content = `/v1/spaces/${spaceId}/content`;
const variables = async () => (await reader.get(content)).body.variables;

test('sets, changes and removes variables, leaving the others', async () => {
  await edit(editor, [{ setVariables: { variables: { version: '1.2', beta: true, seats: 3 } } }]);
  expect(await variables()).toEqual({ beta: true, seats: 3, version: '1.2' });
  const { body } = await editor.post(content, {
    changes: [{ operation: 'set_variables', variables: { version: '1.3', beta: null } }],
  });
  expect(body.changes).toEqual([
    { object: 'updated_variable', variable: 'version' },
    { object: 'deleted_variable', variable: 'beta' },
  ]);
  const { space } = await reader.graphql('query($id: ID!) { space(id: $id) { revision { variables } } }', {
    id: spaceId,
  });
  expect(space.revision.variables).toEqual({ seats: 3, version: '1.3' });
});

test('makes no revision where nothing changes', async () => {
  const { revision } = await edit(editor, [{ setVariables: { variables: { same: 'a' } } }]);
  const again = await edit(editor, [{ setVariables: { variables: { same: 'a', absent: null } } }]);
  expect(again.revision.id).toBe(revision.id);
});

test.each([
  ['an object as a value', { a: { b: 1 } }],
  ['a text of 257 characters', { a: 'x'.repeat(257) }],
  ['an empty name', { '': 'x' }],
  ['more than 200 at once', Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`v${index}`, 1]))],
])('refuses %s', async (_name, given) => {
  await expect(edit(editor, [{ setVariables: { variables: given } }])).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
});

test('holds at most 1,000 of them', async () => {
  const many = (from: number) =>
    Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`many${from + index}`, index]));
  for (let from = 0; from < 800; from += 200) await edit(editor, [{ setVariables: { variables: many(from) } }]);
  const more = edit(editor, [{ setVariables: { variables: many(800) } }]);
  await expect(more).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

describe('a space with 1,000 variables', () => {
  const named = (name: string, count: number) =>
    Array.from({ length: count / 200 }, (_, part) => ({
      setVariables: {
        variables: Object.fromEntries(
          Array.from({ length: 200 }, (_, index) => [`${name}${200 * part + index}`, index]),
        ),
      },
    }));
  const set = (variables: Record<string, unknown>) => [{ setVariables: { variables } }];
  const refusal = { code: 'BAD_USER_INPUT', message: expect.stringContaining('at most 1000 variables') };

  test('changes and exchanges them, and gets no more', async () => {
    const editFull = editBy((await aSpace(admin, organizationId)).spaceId);
    await editFull(editor, named('full', 1_000));
    await editFull(editor, set({ full0: 'other' }));
    await editFull(editor, set({ full1: null, fresh: 1 }));
    await expect(editFull(editor, set({ more: 1 }))).rejects.toMatchObject(refusal);
    await expect(editFull(editor, set({ full2: null, more: 1, most: 1 }))).rejects.toMatchObject(refusal);
  });

  test('gets no more from edits and merges of both sides', async () => {
    const { spaceId: full } = await aSpace(admin, organizationId);
    const editMain = editBy(full);
    const { revision: base } = await editMain(editor, named('before', 200));
    const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId: full }, 'changeRequest { id }');
    const propose = proposeBy(changeRequest.id);
    await propose(editor, named('proposed', 400));
    await editMain(editor, named('main', 600));
    const behind = editMain(editor, named('behind', 400), { baseRevisionId: base.id });
    await expect(behind).rejects.toMatchObject(refusal);
    const merge = () =>
      admin.mutate('mergeChangeRequest', { changeRequestId: changeRequest.id }, 'result revision { variables }');
    await expect(merge()).rejects.toMatchObject({ ...refusal, code: 'CONFLICT' });
    const without = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`proposed${index}`, null]));
    await propose(editor, set(without));
    const { result, revision } = await merge();
    expect([result, Object.keys(revision.variables)]).toEqual(['MERGE', expect.objectContaining({ length: 1_000 })]);
  });
});

test('requires the role editor', async () => {
  const refused = edit(commenter, [{ setVariables: { variables: { a: 1 } } }]);
  await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
