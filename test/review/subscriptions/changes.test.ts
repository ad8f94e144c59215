import { sql } from 'kysely';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { Client } from '../../client.ts';
import { settled } from '../../settled.ts';
import { follow as followOn, type Stream, type StreamRequest } from '../../stream.ts';
import { world } from '../../world.ts';
import { arrangeIn } from '../comments/arrange.ts';

const site = await world();
const { app, admin, commenter, editor, reviewer, reader, guest, outsider, anonymous, organizationId, databaseUrl } =
  site;
const arranged = await arrangeIn(site);
const { spaceId, changeRequest, path } = arranged;
const below = `${path}/change-requests/${changeRequest.id}`;

const ARGUMENTS = '($spaceId: ID, $changeRequestId: ID, $after: ID)';
const GIVEN = '(spaceId: $spaceId, changeRequestId: $changeRequestId, after: $after)';

const COMMENTS = `subscription${ARGUMENTS} { commentChanged${GIVEN} {
  cursor kind deletedId actor { displayName } comment { id body { markdown } resolvedAt } commentReply { id } } }`;

const CHANGES = `subscription${ARGUMENTS} { changeRequestChanged${GIVEN} {
  cursor kind deletedId changeRequest { id subject status revision { id } } content { pages { id title } deletedPageIds hasMorePages } review { id status }
  requestedReviewer { id } comment { id } commentReply { id } } }`;

const SPACES = `subscription($spaceId: ID!, $after: ID) { spaceChanged(spaceId: $spaceId, after: $after) {
  cursor kind actor { displayName } space { id title } changeRequest { id }
  content { pages { id title } relatedPages { id path depth } deletedPageIds hasMorePages } } }`;

const soon = { interval: 20 };

/** A subscription that has begun. */
const follow = (client: Client, query: string, variables: object, more: Partial<StreamRequest> = {}, on = app) =>
  followOn(on, client, { query, variables, ...more });

// biome-ignore lint/suspicious/noExplicitAny: as it came.
const changesIn = ({ answers }: Stream): any[] =>
  answers.map(({ data }) => data?.commentChanged ?? data?.changeRequestChanged ?? data?.spaceChanged);

const kindsIn = (stream: Stream) => changesIn(stream).map((change) => change?.kind);

async function newSpace(): Promise<string> {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Followed' }, 'space { id }');
  return space.id;
}

async function newChangeRequest(inSpace: string): Promise<string> {
  const made = await editor.mutate('createChangeRequest', { spaceId: inSpace }, 'changeRequest { id }');
  return made.changeRequest.id;
}

const rename = (changeRequestId: string, subject: string) =>
  editor.mutate('updateChangeRequest', { changeRequestId, subject }, 'changeRequest { id }');

test('every change to the comments of a space is delivered with its objects, those of change requests apart', async () => {
  const onSpace = await follow(reader, COMMENTS, { spaceId });
  const onChange = await follow(reader, COMMENTS, { changeRequestId: changeRequest.id });
  const byNumber = await follow(reader, COMMENTS, { spaceId, changeRequestId: String(changeRequest.number) });
  const comment = await arranged.comment(commenter, 'One');
  const reply = await arranged.reply(commenter, comment);
  await arranged.comment(editor, 'Elsewhere', {}, below);
  await commenter.put(reply.at, { body: { markdown: 'No' } });
  await editor.put(comment.at, { resolved: true });
  await editor.put(comment.at, { resolved: false });
  await expect.poll(() => kindsIn(onSpace), soon).toHaveLength(5);
  await commenter.delete(reply.at);
  await commenter.delete(comment.at);
  await expect.poll(() => kindsIn(onSpace), soon).toHaveLength(7);
  const author = { displayName: 'Commenter' };
  const shown = { id: comment.id, body: { markdown: 'One' } };
  expect(changesIn(onSpace)).toMatchObject([
    { kind: 'COMMENT_POSTED', actor: author, comment: shown, commentReply: null, deletedId: null },
    { kind: 'COMMENT_REPLY_POSTED', comment: shown, commentReply: { id: reply.id }, deletedId: null },
    { kind: 'COMMENT_REPLY_UPDATED', comment: shown, commentReply: { id: reply.id } },
    { kind: 'COMMENT_RESOLVED', actor: { displayName: 'Editor' }, comment: shown },
    { kind: 'COMMENT_REOPENED', comment: shown, commentReply: null },
    { kind: 'COMMENT_REPLY_DELETED', commentReply: null, deletedId: reply.id },
    { kind: 'COMMENT_DELETED', comment: null, commentReply: null, deletedId: comment.id },
  ]);
  const ids = onSpace.frames.filter(({ event }) => event === 'next').map(({ id }) => id);
  expect(changesIn(onSpace).map(({ cursor }) => cursor)).toEqual(ids);
  expect(onSpace.answers.map(({ extensions }) => extensions.eventId)).toEqual(ids);
  for (const each of [onChange, byNumber]) {
    await expect.poll(() => changesIn(each), soon).toMatchObject([{ comment: { body: { markdown: 'Elsewhere' } } }]);
  }
  for (const each of [onSpace, onChange, byNumber]) each.close();
});

test('every change to the change requests of a space, or to one of them, is delivered with its objects', async () => {
  const inSpace = await newSpace();
  const ofSpace = await follow(reader, CHANGES, { spaceId: inSpace });
  const id = await newChangeRequest(inSpace);
  const ofOne = await follow(reader, CHANGES, { changeRequestId: id });
  const other = await newChangeRequest(inSpace);
  await rename(other, 'The other');
  await newChangeRequest(spaceId);
  const changes = [{ insertPage: { title: 'New' } }];
  await editor.mutate('updateChangeRequestContent', { changeRequestId: id, changes }, 'pageIds');
  const asked = { changeRequestId: id, userIds: [reviewer.userId] };
  await editor.mutate('requestReviewers', { ...asked, subject: 'Asked' }, 'changeRequest { id }');
  const verdict = { changeRequestId: id, status: 'APPROVED' };
  const { review } = await reviewer.mutate('submitReview', verdict, 'review { id }');
  const posted = await commenter.mutate(
    'postComment',
    { changeRequestId: id, body: { markdown: 'Fine' } },
    'comment { id }',
  );
  await commenter.mutate('deleteComment', { commentId: posted.comment.id }, 'deletedId');
  const merged = await admin.mutate('mergeChangeRequest', { changeRequestId: id }, 'changeRequest { revision { id } }');
  await expect.poll(() => kindsIn(ofOne), soon).toHaveLength(7);
  await expect.poll(() => kindsIn(ofSpace), soon).toHaveLength(10);
  expect(kindsIn(ofOne)).toEqual([
    'CHANGE_REQUEST_CONTENT_UPDATED',
    'CHANGE_REQUEST_UPDATED',
    'CHANGE_REQUEST_REVIEW_REQUESTED',
    'CHANGE_REQUEST_REVIEWED',
    'COMMENT_POSTED',
    'COMMENT_DELETED',
    'CHANGE_REQUEST_MERGED',
  ]);
  expect(changesIn(ofOne)).toMatchObject([
    { changeRequest: { id }, review: null, requestedReviewer: null },
    { changeRequest: { id, subject: 'Asked' } },
    { requestedReviewer: { id: reviewer.userId } },
    { review: { id: review.id, status: 'APPROVED' }, requestedReviewer: null },
    { changeRequest: { id }, deletedId: null },
    { changeRequest: { id }, comment: null, deletedId: posted.comment.id },
    { changeRequest: { id, status: 'MERGED', revision: merged.changeRequest.revision } },
  ]);
  const [created, createdOther, updatedOther, ...rest] = changesIn(ofSpace);
  expect([created, createdOther, updatedOther]).toMatchObject([
    { kind: 'CHANGE_REQUEST_CREATED', changeRequest: { id } },
    { kind: 'CHANGE_REQUEST_CREATED', changeRequest: { id: other } },
    { kind: 'CHANGE_REQUEST_UPDATED', changeRequest: { id: other, subject: 'The other' } },
  ]);
  expect(rest.map(({ cursor }) => cursor)).toEqual(changesIn(ofOne).map(({ cursor }) => cursor));
  for (const each of [ofSpace, ofOne]) each.close();
});

test('a client that reconnects misses nothing and gets nothing twice', async () => {
  const inSpace = await newSpace();
  const id = await newChangeRequest(inSpace);
  const stream = await follow(reader, CHANGES, { spaceId: inSpace });
  await rename(id, 'Before');
  await expect.poll(() => kindsIn(stream), soon).toHaveLength(1);
  stream.close();
  const [{ cursor: after }] = changesIn(stream);
  for (let index = 0; index < 60; index++) await rename(id, `Meanwhile ${index}`);
  await settled(app.services.db);
  const byHeader = await follow(reader, CHANGES, { spaceId: inSpace }, { headers: { 'last-event-id': after } });
  const byArgument = await follow(reader, CHANGES, { changeRequestId: id, after });
  await rename(id, 'After');
  await settled(app.services.db);
  const whole = (await site.eventsBy(`resource=${id}`)).slice(2).map((event) => event.id);
  expect(whole).toHaveLength(61);
  for (const each of [byHeader, byArgument]) {
    await expect.poll(() => changesIn(each).map(({ cursor }) => cursor), soon).toEqual(whole);
    each.close();
  }
  for (const unknown of ['event_x', await eventOfOutsider()]) {
    const refused = await follow(reader, COMMENTS, { spaceId, after: unknown });
    expect(refused.answers).toMatchObject([{ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }]);
  }
});

test('a client that reconnects to comments or to a space misses nothing and gets nothing twice', async () => {
  const inSpace = await newSpace();
  const post = (markdown: string) =>
    commenter.mutate('postComment', { spaceId: inSpace, body: { markdown } }, 'comment { id }');
  const retitle = (title: string) => admin.mutate('updateSpace', { spaceId: inSpace, title }, 'space { id }');
  for (const [query, change] of [
    [COMMENTS, post],
    [SPACES, retitle],
  ] as const) {
    const [whole, stream] = [
      await follow(reader, query, { spaceId: inSpace }),
      await follow(reader, query, { spaceId: inSpace }),
    ];
    await change('Before');
    await expect.poll(() => kindsIn(stream), soon).toHaveLength(1);
    stream.close();
    const [{ cursor: after }] = changesIn(stream);
    for (let index = 0; index < 5; index++) await change(`Meanwhile ${index}`);
    await settled(app.services.db);
    const resumed = [
      await follow(reader, query, { spaceId: inSpace }, { headers: { 'last-event-id': after } }),
      await follow(reader, query, { spaceId: inSpace, after }),
    ];
    await change('After');
    await expect.poll(() => kindsIn(whole), soon).toHaveLength(7);
    for (const each of resumed) {
      await expect.poll(() => changesIn(each), soon).toHaveLength(6);
      expect(changesIn(each).map(({ cursor }) => cursor)).toEqual(
        changesIn(whole)
          .slice(1)
          .map(({ cursor }) => cursor),
      );
      each.close();
    }
    whole.close();
  }
});

/** An event that exists, of the other organization. */
async function eventOfOutsider(): Promise<string> {
  await outsider.mutate('createSpace', { organizationId: site.otherOrganizationId }, 'space { id }');
  await settled(app.services.db);
  const { body } = await outsider.get(`/v1/orgs/${site.otherOrganizationId}/events`);
  return body.items.at(-1).id;
}

const targets = [
  ['a space', { spaceId }, { spaceId: 'space_00000000000000000000000000' }],
  ['a change request', { changeRequestId: changeRequest.id }, { changeRequestId: 'cr_00000000000000000000000000' }],
  [
    'a change request by its number',
    { spaceId, changeRequestId: String(changeRequest.number) },
    { spaceId, changeRequestId: '99' },
  ],
] as const;

test.each([
  ['comments', COMMENTS],
  ['change requests', CHANGES],
])('subscriptions to %s answer for what the caller cannot see as for nothing', async (_what, query) => {
  const refusal = async (client: Client, variables: Record<string, string>) => {
    const stream = await follow(client, query, variables);
    await expect.poll(() => stream.isOver, soon).toBe(true);
    expect(stream.answers).toHaveLength(1);
    const named = Object.values(variables).map((id) => `\\"${id}\\"`);
    const text = JSON.stringify(stream.answers[0]).replaceAll(/"requestId":"[^"]*"/g, '');
    return named.reduce((rest, id) => rest.replaceAll(id, '<id>'), text);
  };
  for (const [, there, absent] of targets) {
    for (const client of [outsider, guest]) {
      const hidden = await refusal(client, there);
      expect(hidden).toContain('NOT_FOUND');
      expect(hidden).toBe(await refusal(client, absent));
    }
    expect(await refusal(anonymous, there)).toBe(await refusal(anonymous, absent));
    expect(await refusal(anonymous, there)).toContain('UNAUTHENTICATED');
  }
  expect(await refusal(reader, {})).toContain('BAD_USER_INPUT');
  expect(await refusal(reader, { spaceId: await newSpace(), changeRequestId: changeRequest.id })).toContain(
    'NOT_FOUND',
  );
});

test('the space of a site shows its comments and change requests to nobody without a role', async () => {
  const inSpace = await newSpace();
  const { site: made } = await admin.mutate(
    'createSite',
    { organizationId, spaceIds: [inSpace], visibility: 'PUBLIC' },
    'site { id }',
  );
  await admin.mutate('publishSite', { siteId: made.id }, 'site { id }');
  expect((await outsider.graphql('query($id: ID!) { space(id: $id) { id } }', { id: inSpace })).space).not.toBeNull();
  for (const query of [COMMENTS, CHANGES]) {
    const stream = await follow(outsider, query, { spaceId: inSpace });
    await expect.poll(() => stream.isOver, soon).toBe(true);
    expect(stream.answers).toMatchObject([{ errors: [{ extensions: { code: 'FORBIDDEN' } }] }]);
  }
});

test('changes through another process are delivered, and a stream ends when the role is lost', async () => {
  const other = await createApp({
    config: app.services.config,
    databaseUrl,
    secretKey: app.services.secretKeys.current,
    log: pino({ level: 'error' }),
  });
  onTestFinished(() => other.close());
  const elsewhere = new Client(`http://127.0.0.1:${await other.listen()}`, reader.token);
  const inSpace = await newSpace();
  const id = await newChangeRequest(inSpace);
  const streams = [
    await follow(elsewhere, CHANGES, { spaceId: inSpace }, {}, other),
    await follow(elsewhere, COMMENTS, { changeRequestId: id }, {}, other),
  ];
  await rename(id, 'Seen');
  await commenter.mutate('postComment', { changeRequestId: id, body: { markdown: 'Seen' } }, 'comment { id }');
  await expect.poll(() => streams.map((stream) => kindsIn(stream).length), soon).toEqual([2, 1]);
  await site.grant(inSpace, reader.userId, 'none');
  await rename(id, 'Unseen');
  await commenter.mutate('postComment', { changeRequestId: id, body: { markdown: 'Unseen' } }, 'comment { id }');
  for (const stream of streams) {
    await expect.poll(() => stream.isOver, soon).toBe(true);
    expect(stream.answers.at(-1)).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
    expect(stream.isComplete).toBe(true);
    expect(JSON.stringify(stream.frames)).not.toContain('Unseen');
  }
});

test('a stream to which nothing happens ends as soon as the role is revoked', async () => {
  const inSpace = await newSpace();
  await admin.mutate('grantPermission', { spaceId: inSpace, userIds: [guest.userId], role: 'READ' }, '__typename');
  const stream = await follow(guest, COMMENTS, { spaceId: inSpace });
  expect(stream.answers).toEqual([]);
  await admin.mutate('revokePermission', { spaceId: inSpace, userId: guest.userId }, 'deletedId');
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.answers).toMatchObject([{ errors: [{ extensions: { code: 'NOT_FOUND' } }] }]);
});

test('a stream continues in the organization that the space is transferred to, for those who can see it there', async () => {
  const inSpace = await newSpace();
  const id = await newChangeRequest(inSpace);
  await app.services.db
    .insertInto('membership')
    .values({
      id: 'member_00000000000000000000000001',
      organizationId: site.otherOrganizationId,
      userId: admin.userId,
      role: 'admin',
    })
    .execute();
  const [stays, ends] = [
    await follow(admin, CHANGES, { changeRequestId: id }),
    await follow(reader, CHANGES, { changeRequestId: id }),
  ];
  await admin.mutate('transferSpace', { spaceId: inSpace, organizationId: site.otherOrganizationId }, 'space { id }');
  await expect.poll(() => ends.isOver, soon).toBe(true);
  expect(ends.answers).toMatchObject([{ errors: [{ extensions: { code: 'NOT_FOUND' } }] }]);
  const subject = 'There';
  await admin.mutate('updateChangeRequest', { changeRequestId: id, subject }, 'changeRequest { id }');
  await expect.poll(() => changesIn(stays), soon).toMatchObject([{ changeRequest: { id, subject } }]);
  stays.close();
});

test('every change to a space is delivered with the pages that it changed, by the IDs of caches', async () => {
  const inSpace = await newSpace();
  const stream = await follow(reader, SPACES, { spaceId: inSpace });
  const edit = async (changes: unknown[]) =>
    (await editor.mutate('updateSpaceContent', { spaceId: inSpace, changes }, 'pageIds')).pageIds;
  const [kept, lost] = await edit([{ insertPage: { title: 'Kept' } }, { insertPage: { title: 'Lost' } }]);
  await admin.mutate('updateSpace', { spaceId: inSpace, title: 'Renamed' }, 'space { id }');
  await edit([{ updatePage: { pageId: kept, title: 'Kept for good' } }, { deletePage: { pageId: lost } }]);
  const id = await newChangeRequest(inSpace);
  const ofOne = await follow(reader, CHANGES, { changeRequestId: id });
  const proposed = [{ updatePage: { pageId: kept, title: 'Proposed' } }];
  await editor.mutate('updateChangeRequestContent', { changeRequestId: id, changes: proposed }, 'pageIds');
  await admin.mutate('mergeChangeRequest', { changeRequestId: id }, 'changeRequest { id }');
  await expect.poll(() => kindsIn(stream), soon).toHaveLength(4);
  const page = (pageId: string, title: unknown = expect.any(String)) => ({ id: `${pageId}-in-${inSpace}`, title });
  const found = changesIn(stream);
  expect(found).toMatchObject([
    { kind: 'SPACE_CONTENT_UPDATED', changeRequest: null },
    { kind: 'SPACE_UPDATED', space: { id: inSpace, title: 'Renamed' }, content: null },
    { kind: 'SPACE_CONTENT_UPDATED', actor: { displayName: 'Editor' } },
    { kind: 'SPACE_CONTENT_UPDATED', changeRequest: { id } },
  ]);
  expect(found[0].content.pages).toContainEqual(page(kept));
  expect(found[2].content).toEqual({
    pages: [page(kept)],
    relatedPages: [],
    deletedPageIds: [`${lost}-in-${inSpace}`],
    hasMorePages: false,
  });
  expect(found[3].content).toMatchObject({ pages: [page(kept, 'Proposed')], relatedPages: [], deletedPageIds: [] });
  await expect.poll(() => kindsIn(ofOne), soon).toHaveLength(2);
  const [edited, merged] = changesIn(ofOne);
  const inChangeRequest = { id: `${kept}-in-${id}`, title: 'Proposed' };
  expect(edited.content).toEqual({ pages: [inChangeRequest], deletedPageIds: [], hasMorePages: false });
  expect(merged.content).toBeNull();
  for (const each of [stream, ofOne]) each.close();
});

test('an event names a hundred pages and says that there are more, and replays name pages as they are now', async () => {
  const inSpace = await newSpace();
  const first = await follow(reader, SPACES, { spaceId: inSpace });
  await admin.mutate('updateSpace', { spaceId: inSpace, title: 'Many' }, 'space { id }');
  await expect.poll(() => kindsIn(first), soon).toHaveLength(1);
  first.close();
  const changeRequestId = await newChangeRequest(inSpace);
  const pageIds: string[] = [];
  for (const count of [50, 50, 1]) {
    const changes = Array.from({ length: count }, (_, index) => ({ insertPage: { title: `Page ${index}` } }));
    const edited = await editor.mutate('updateChangeRequestContent', { changeRequestId, changes }, 'pageIds');
    pageIds.push(...edited.pageIds);
  }
  await admin.mutate('mergeChangeRequest', { changeRequestId }, 'changeRequest { id }');
  const gone = [{ deletePage: { pageId: pageIds[0] } }];
  await editor.mutate('updateSpaceContent', { spaceId: inSpace, changes: gone }, 'pageIds');
  await settled(app.services.db);
  const [{ cursor: after }] = changesIn(first);
  const replayed = await follow(reader, SPACES, { spaceId: inSpace, after });
  await expect.poll(() => kindsIn(replayed), soon).toHaveLength(2);
  const [inserted, deleted] = changesIn(replayed);
  expect(inserted.content.hasMorePages).toBe(true);
  expect(inserted.content.pages.length).toBeGreaterThanOrEqual(99);
  expect(inserted.content.pages.map(({ id }: { id: string }) => id)).not.toContain(`${pageIds[0]}-in-${inSpace}`);
  expect(deleted.content).toEqual({
    pages: [],
    relatedPages: expect.arrayContaining([expect.objectContaining({ id: `${pageIds[1]}-in-${inSpace}` })]),
    deletedPageIds: [`${pageIds[0]}-in-${inSpace}`],
    hasMorePages: false,
  });
  replayed.close();
});

test('changes of a space are for those who see it', async () => {
  const inSpace = await newSpace();
  for (const by of [outsider, guest, anonymous]) {
    const stream = await follow(by, SPACES, { spaceId: inSpace });
    const code = by === anonymous ? 'UNAUTHENTICATED' : 'NOT_FOUND';
    await expect.poll(() => stream.answers[0]?.errors?.[0]?.extensions?.code, soon).toBe(code);
  }
});

test('after a page was renamed or moved, the pages below it are named with their new path', async () => {
  const inSpace = await newSpace();
  const stream = await follow(reader, SPACES, { spaceId: inSpace });
  const edit = async (changes: unknown[]) =>
    (await editor.mutate('updateSpaceContent', { spaceId: inSpace, changes }, 'pageIds')).pageIds;
  const [top, other] = await edit([{ insertPage: { title: 'Top' } }, { insertPage: { title: 'Other' } }]);
  const [below] = await edit([{ insertPage: { title: 'Below', parentId: top } }]);
  await edit([{ updatePage: { pageId: top, slug: 'renamed' } }]);
  await edit([{ movePage: { pageId: top, parentId: other } }]);
  await expect.poll(() => kindsIn(stream), soon).toHaveLength(4);
  const [, , renamed, moved] = changesIn(stream);
  const page = { id: `${below}-in-${inSpace}` };
  // Events name pages as they are when they are delivered.
  expect(renamed.content).toMatchObject({ hasMorePages: false });
  expect(renamed.content.relatedPages).toMatchObject([page]);
  expect(moved.content.relatedPages).toContainEqual({ ...page, path: 'other/renamed/below', depth: 2 });
  stream.close();
});

test('an event whose earlier revision is not recorded says that the pages are unknown', async () => {
  const inSpace = await newSpace();
  const stream = await follow(reader, SPACES, { spaceId: inSpace });
  await admin.mutate('updateSpace', { spaceId: inSpace, title: 'First' }, 'space { id }');
  await expect.poll(() => kindsIn(stream), soon).toHaveLength(1);
  stream.close();
  const changes = [{ insertPage: { title: 'Former' } }];
  await editor.mutate('updateSpaceContent', { spaceId: inSpace, changes }, 'pageIds');
  await app.services.db
    .updateTable('event')
    .set({ ids: sql`ids - 'previousRevisionId'` })
    .where('spaceId', '=', inSpace)
    .execute();
  const [{ cursor: after }] = changesIn(stream);
  const replayed = await follow(reader, SPACES, { spaceId: inSpace, after });
  await expect.poll(() => kindsIn(replayed), soon).toHaveLength(1);
  const [{ content }] = changesIn(replayed);
  expect(content).toEqual({ pages: [], relatedPages: [], deletedPageIds: [], hasMorePages: true });
  replayed.close();
});

test('readers of a published site learn neither who changed a space nor about its Git synchronization', async () => {
  const inSpace = await newSpace();
  const input = { organizationId, spaceIds: [inSpace], visibility: 'PUBLIC' };
  const { site: made } = await admin.mutate('createSite', input, 'site { id }');
  await admin.mutate('publishSite', { siteId: made.id }, 'site { id }');
  const [stranger, member] = [
    await follow(outsider, SPACES, { spaceId: inSpace }),
    await follow(reader, SPACES, { spaceId: inSpace }),
  ];
  const run = { ref: 'refs/heads/main', url: 'https://git.invalid/docs.git' };
  expect((await admin.post(`/v1/spaces/${inSpace}/git/import`, run)).status).toBe(204);
  const changes = [{ insertPage: { title: 'New' } }];
  await editor.mutate('updateSpaceContent', { spaceId: inSpace, changes }, 'pageIds');
  const isContent = (kind: string) => kind === 'SPACE_CONTENT_UPDATED';
  for (const each of [stranger, member]) await expect.poll(() => kindsIn(each).some(isContent), soon).toBe(true);
  expect(changesIn(stranger)).toMatchObject([
    { kind: 'SPACE_CONTENT_UPDATED', actor: null, space: { id: inSpace }, content: null },
  ]);
  expect(kindsIn(member)).toContain('SPACE_GITSYNC_REQUESTED');
  expect(changesIn(member).find(({ kind }) => isContent(kind))).toMatchObject({ actor: { displayName: 'Editor' } });
  for (const each of [stranger, member]) each.close();
});
