import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDatabase } from '../database.ts';
import { world } from '../world.ts';

/*
 * What a response shows can be hidden from the caller between the commit and the response. Here the transaction of the
 * command itself removes the caller's membership, at its event.
 */

const it = await world({}, { database: await makeDatabase() });
const { organizationId, admin, creator } = it;
const { db } = it.app.services;
let spaceId = '';

beforeAll(async () => {
  spaceId = (await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body.id;
  await sql`
    create function remove_member() returns trigger language plpgsql as
      $$ begin delete from membership where user_id = new.actor_id; return null; end $$`.execute(db);
  await sql`
    create trigger remove_member after insert on event
      for each row when (new.actor_id = '${sql.raw(creator.userId)}') execute function remove_member()`.execute(db);
});

beforeEach(async () => {
  const values = {
    id: `member_${creator.userId.slice(5)}`,
    organizationId,
    userId: creator.userId,
    role: 'create' as const,
  };
  await db
    .insertInto('membership')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
});

afterAll(() => sql`drop function remove_member cascade`.execute(db));

const typeOf = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}Input`;

const mutate = (name: string, selection: string, input: object) =>
  creator.graphqlRaw(`mutation($input: ${typeOf(name)}!) { ${name}(input: $input) { ${selection} } }`, { input });

test.each(['revision', 'space'])(
  'a field of the payload, such as "%s", that can no longer be read has an error that says that the mutation has run',
  async (field) => {
    const title = `By ${field}`;
    const changes = [{ insertPage: { title, document: { markdown: 'Text' } } }];
    const { body } = await mutate('updateSpaceContent', `${field} { __typename }`, { spaceId, changes });
    expect(body.data).toEqual({ updateSpaceContent: null });
    expect(body.errors).toMatchObject([
      {
        path: ['updateSpaceContent', field],
        message: 'The mutation has run, but its result was deleted meanwhile, or you can no longer see it.',
        extensions: { code: 'NOT_FOUND' },
      },
    ]);
    expect(JSON.stringify((await admin.get(`/v1/spaces/${spaceId}/content`)).body)).toContain(title);
  },
);

test('an object that a mutation returns is shown as it was written, without what it leads to', async () => {
  const { body } = await mutate('createChangeRequest', 'changeRequest { subject space { id } }', {
    spaceId,
    subject: 'Change',
  });
  expect(body).toEqual({ data: { createChangeRequest: { changeRequest: { subject: 'Change', space: null } } } });
});

test('a response of REST that can no longer be read says that the operation has run', async () => {
  const changeRequest = await admin.mutate(
    'createChangeRequest',
    { spaceId, subject: 'Draft' },
    'changeRequest { id }',
  );
  const path = `/v1/spaces/${spaceId}/change-requests/${changeRequest.changeRequest.id}/content`;
  const changes = [{ operation: 'insert_page', title: 'By REST', document: { markdown: 'Text' } }];
  const { status, body } = await creator.post(path, { changes });
  expect([status, body.error.message]).toEqual([
    404,
    'The operation has run, but its result was deleted meanwhile, or you can no longer see it.',
  ]);
  expect(JSON.stringify((await admin.get(path)).body)).toContain('By REST');
});
