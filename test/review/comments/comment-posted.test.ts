import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { Client } from '../../client.ts';
import { follow as followOn, type Stream, type StreamRequest } from '../../stream.ts';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { app, commenter, editor, reader, outsider, anonymous, databaseUrl } = site;
const arranged = await arrangeIn(site);
const { spaceId, changeRequest, path } = arranged;
const below = `${path}/change-requests/${changeRequest.id}`;

const QUERY = `subscription($spaceId: ID, $changeRequestId: ID, $after: ID) {
  commentPosted(spaceId: $spaceId, changeRequestId: $changeRequestId, after: $after) { id body { markdown } postedBy { displayName } } }`;

const soon = { interval: 20 };

/** A subscription that has begun. */
const follow = (client: Client, variables: object, more: Partial<StreamRequest> = {}, on = app) =>
  followOn(on, client, { query: QUERY, variables, ...more });

const said = ({ answers }: Stream) => answers.map(({ data }) => data?.commentPosted?.body.markdown);

test('delivers comments as they are posted, change requests separately', async () => {
  const onSpace = await follow(reader, { spaceId });
  const onChange = await follow(reader, { changeRequestId: changeRequest.id });
  const byNumber = await follow(reader, { spaceId, changeRequestId: String(changeRequest.number) });
  const first = await arranged.comment(commenter, 'One');
  await arranged.reply(commenter, first, 'No comment');
  await arranged.comment(editor, 'Two', {}, below);
  await editor.put(first.at, { resolved: true });
  await arranged.comment(editor, 'Three');
  await expect.poll(() => said(onSpace), soon).toEqual(['One', 'Three']);
  await expect.poll(() => said(onChange), soon).toEqual(['Two']);
  await expect.poll(() => said(byNumber), soon).toEqual(['Two']);
  const frame = onSpace.frames.find(({ event }) => event === 'next');
  expect(frame?.data).toEqual({
    data: { commentPosted: { id: first.id, body: { markdown: 'One' }, postedBy: { displayName: 'Commenter' } } },
    extensions: { eventId: frame?.id },
  });
  for (const each of [onSpace, onChange, byNumber]) each.close();
});

test('a client that reconnects misses nothing and gets nothing twice', async () => {
  const stream = await follow(reader, { spaceId });
  await arranged.comment(commenter, 'Before');
  await expect.poll(() => said(stream), soon).toEqual(['Before']);
  stream.close();
  const after = stream.answers[0]?.extensions.eventId;
  const gone = await arranged.comment(commenter, 'Deleted meanwhile');
  await arranged.comment(commenter, 'Meanwhile');
  await commenter.delete(gone.at);
  const byArgument = await follow(reader, { spaceId, after });
  const byHeader = await follow(reader, { spaceId }, { headers: { 'last-event-id': after } });
  await arranged.comment(commenter, 'After');
  for (const each of [byArgument, byHeader]) {
    await expect.poll(() => said(each), soon).toEqual([undefined, 'Meanwhile', 'After']);
    each.close();
  }
  const foreign = await follow(reader, { spaceId, after: 'event_x' });
  expect(foreign.answers).toMatchObject([{ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }]);
});

test.each([
  ['an outsider', outsider, { spaceId }, 'NOT_FOUND'],
  ['an outsider of a change request', outsider, { changeRequestId: changeRequest.id }, 'NOT_FOUND'],
  ['an anonymous caller', anonymous, { spaceId }, 'UNAUTHENTICATED'],
  ['what names nothing', reader, {}, 'BAD_USER_INPUT'],
])('refuses %s', async (_what, client, variables, code) => {
  const stream = await follow(client, variables);
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.answers).toMatchObject([{ errors: [{ extensions: { code } }] }]);
});

test('delivers comments posted through another process, and ends when the permission is lost', async () => {
  const other = await createApp({
    config: app.services.config,
    databaseUrl,
    secretKey: app.services.secretKeys.current,
    log: pino({ level: 'error' }),
  });
  onTestFinished(() => other.close());
  const elsewhere = new Client(`http://127.0.0.1:${await other.listen()}`, reader.token);
  const stream = await follow(elsewhere, { spaceId }, {}, other);
  await arranged.comment(commenter, 'Seen elsewhere');
  await expect.poll(() => said(stream), soon).toEqual(['Seen elsewhere']);
  await site.grant(spaceId, reader.userId, 'none');
  await arranged.comment(commenter, 'Unseen');
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.answers.at(-1)).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  expect(JSON.stringify(stream.frames)).not.toContain('Unseen');
});
