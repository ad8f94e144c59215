import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Context } from '../../src/platform/context/context.ts';
import { writeStatement } from '../../src/platform/events/write-statement.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { command } from '../../src/platform/operation/operation.ts';
import { statementsOf } from '../client.ts';
import { world } from '../world.ts';

const { app, organizationId, creator, admin, commenter } = await world();
const { em, db } = app.services;

const context = (): Context => ({
  actor: { kind: 'user', userId: creator.userId, isOperator: false, by: 'token' },
  em: em.fork(),
  db,
  services: app.services,
  requestId: 'req-test',
  log: app.services.log,
  inTransaction: false,
});

const rename = writeStatement<{ id: string; seen: string; title: string }, { title: string }>(
  ({ id, seen, title }) => sql`
    update team set title = ${title} where id = ${id} and title = ${seen} returning title`,
);

/** A team, and a command that renames it if it still has the title that was read. Notes its effects. */
async function renamedTeam({ before = async () => {} }: { before?(): Promise<void> } = {}) {
  const id = newId('team');
  await db.insertInto('team').values({ id, organizationId, title: 'Old' }).execute();
  const titleOf = async (from = db) =>
    (await from.selectFrom('team').where('id', '=', id).select('title').executeTakeFirstOrThrow()).title;
  const effects: string[] = [];
  const renameTeam = command({
    name: 'renameTeam',
    scope: 'write',
    description: 'Renames a team.',
    input: z.object({ seen: z.string(), title: z.string() }),
    async run(ctx, { seen, title }) {
      ctx.afterCommit?.push(() => effects.push(title));
      await before();
      const event = { kind: 'user_updated' as const, organizationId, ids: { teamId: id } };
      return rename(ctx, { id, seen, title }, [event]);
    },
  });
  const events = async () => {
    const rows = await db.selectFrom('event').where('organizationId', '=', organizationId).selectAll().execute();
    return rows.filter(({ ids }) => ids.teamId === id);
  };
  return { id, renameTeam, titleOf, effects, events };
}

test('row and event are written by one statement, which the effects follow', async () => {
  const team = await renamedTeam();
  const meter = { statements: 0, milliseconds: 0 };
  const input = { seen: 'Old', title: 'New' };
  expect(await team.renameTeam({ ...context(), meter }, input)).toEqual({ title: 'New' });
  expect(meter.statements).toBe(1);
  expect(team.effects).toEqual(['New']);
  expect(await team.events()).toEqual([
    expect.objectContaining({ kind: 'user_updated', actorId: creator.userId, spaceId: null, ids: { teamId: team.id } }),
  ]);
});

test('no event is written without a row', async () => {
  const team = await renamedTeam();
  expect(await team.renameTeam(context(), { seen: 'Other', title: 'New' })).toBeUndefined();
  expect([await team.titleOf(), await team.events()]).toEqual(['Old', []]);
});

test('a run that fails writes nothing and has no effects', async () => {
  const team = await renamedTeam({
    before: async () => {
      throw new Error('on purpose');
    },
  });
  await expect(team.renameTeam(context(), { seen: 'Old', title: 'New' })).rejects.toThrow('on purpose');
  expect([team.effects, await team.titleOf(), await team.events()]).toEqual([[], 'Old', []]);
});

test('in a command that another one calls, the statement is part of its transaction', async () => {
  const team = await renamedTeam();
  const outer = command({
    name: 'outer',
    scope: 'write',
    description: 'Renames and fails.',
    input: z.object({}),
    async run(ctx) {
      expect(await team.renameTeam(ctx, { seen: 'Old', title: 'New' })).toEqual({ title: 'New' });
      throw new Error('rolled back');
    },
  });
  await expect(outer(context(), {})).rejects.toThrow('rolled back');
  expect([team.effects, await team.titleOf(), await team.events()]).toEqual([[], 'Old', []]);
});

test('the statement does not run outside of commands', async () => {
  const team = await renamedTeam();
  await expect(rename(context(), { id: team.id, seen: 'Old', title: 'New' }, [])).rejects.toThrow('outside a command');
});

const newSpace = async () => (await creator.post(`/v1/orgs/${organizationId}/spaces`)).body.id as string;

test('posting a comment takes two statements; of concurrent edits with a version, one goes through', async () => {
  const comments = `/v1/spaces/${await newSpace()}/comments`;
  const spaceId = comments.split('/')[3];
  // Reads the map of the access, which commands do not wait for.
  await commenter.get(`/v1/spaces/${spaceId}`);
  const posted = await commenter.graphqlRaw(
    'mutation($input: PostCommentInput!) { postComment(input: $input) { comment { id body { markdown } } } }',
    { input: { spaceId, body: { markdown: 'Why?' } } },
  );
  expect(statementsOf(posted)).toBe(2);
  const path = `${comments}/${posted.body.data.postComment.comment.id}`;
  const etag = (await commenter.get(path)).headers.get('etag') ?? '';
  const edits = ['One', 'Two', 'Three', 'Four'].map((markdown) =>
    commenter.send('PUT', path, { body: { markdown } }, { 'if-match': etag }),
  );
  const statuses = (await Promise.all(edits)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 412, 412, 412]);
});

test('concurrent edits without a version all go through, each with its event', async () => {
  const comments = `/v1/spaces/${await newSpace()}/comments`;
  const { body } = await commenter.post(comments, { body: { markdown: 'Why?' } });
  const path = `${comments}/${body.id}`;
  const edits = [
    ...['One', 'Two', 'Three'].map((markdown) => commenter.send('PUT', path, { body: { markdown } })),
    admin.send('PUT', path, { resolved: true }),
  ];
  expect((await Promise.all(edits)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const rows = await db.selectFrom('event').where('organizationId', '=', organizationId).selectAll().execute();
  const kinds = rows.filter(({ ids }) => ids.commentId === body.id).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual([
    'comment_posted',
    'comment_resolved',
    'comment_updated',
    'comment_updated',
    'comment_updated',
  ]);
  expect((await admin.get(path)).body.status).toBe('resolved');
});
