import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { asked } from '../insight/conversations/conversations.ts';
import { siteWith } from '../publishing/arrange.ts';
import { translating } from '../sources/translations/arrange.ts';
import { world } from '../world.ts';

// Two calls of one command that wait for the same row: the second one sees what the first one has done.

const here = await world();
const { app, admin, organizationId } = here;
const { db } = app.services;
const { makeSpace, create, work, write, run } = translating(here);

/** Calls `act` twice while another transaction has locked a row, until both wait for it. Returns the two answers. */
async function twice<Answer>(table: string, id: string, act: () => Promise<Answer>): Promise<Answer[]> {
  let answers: Promise<Answer>[] = [];
  await db.transaction().execute(async (transaction) => {
    await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(transaction);
    answers = [act(), act()];
    await vi.waitFor(
      async () => {
        const { rows } = await sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
        expect(rows).toHaveLength(2);
      },
      { timeout: 10_000, interval: 20 },
    );
  });
  return Promise.all(answers);
}

/** Number of events of a kind. */
async function recorded(kind: string): Promise<number> {
  const { rows } = await sql`
    select from event where organization_id = ${organizationId} and kind = ${kind}`.execute(db);
  return rows.length;
}

test('a redirect that is named without its site is deleted once, and changed once in the same version', async () => {
  const site = await siteWith(admin, organizationId, { title: 'Docs' });
  const destination = { kind: 'external', url: 'https://acme.com/' };
  const { body: redirect } = await admin.post(`${site.path}/redirects`, { source: '/old', destination });
  const { node } = await admin.graphql(`{ node(id: "${redirect.id}") { ... on SiteRedirect { version } } }`);
  const input = { siteRedirectId: redirect.id, draft: true, expectedVersion: node.version };
  const change = () =>
    admin.mutate('updateSiteRedirect', input, 'siteRedirect { id }').then(
      () => 'changed',
      ({ code }) => code,
    );
  expect((await twice('site', site.id, change)).toSorted()).toEqual(['PRECONDITION_FAILED', 'changed']);
  const before = await recorded('site_redirects_updated');
  const remove = () => admin.mutate('deleteSiteRedirect', { siteRedirectId: redirect.id }, 'deletedId');
  const deleted = await twice('site', site.id, remove);
  expect(deleted.map(({ deletedId }) => deletedId).filter((id) => id !== null)).toEqual([redirect.id]);
  expect(await recorded('site_redirects_updated')).toBe(before + 1);
});

test('a translation is run once and deleted once', async () => {
  const { spaceId } = await makeSpace({ One: 'Words.' });
  const { translationId } = await create(spaceId);
  await work(translationId);
  const started = await recorded('translation_run_started');
  await twice('translation', translationId, () =>
    admin.mutate('runTranslation', { translationId }, 'translation { id }'),
  );
  expect(await recorded('translation_run_started')).toBe(started + 1);
  const remove = () => admin.mutate('deleteTranslation', { translationId }, 'deletedId');
  const deleted = await twice('translation', translationId, remove);
  expect(deleted.map(({ deletedId }) => deletedId).filter((id) => id !== null)).toEqual([translationId]);
  expect(await recorded('translation_deleted')).toBe(1);
});

test.each([
  ['KEEP', 'space'],
  ['REPLACE', 'translation_edit'],
])('a review of a translation is resolved once with %s', async (resolution, table) => {
  const { spaceId, pageIds } = await makeSpace({ One: 'Old words.' });
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  const pageId = pageIds.One as string;
  await write(translatedId, pageId, 'Alte Worte.');
  await run(translationId);
  await write(spaceId, pageId, 'New words.');
  await run(translationId);
  const path = `/v1/orgs/${organizationId}/translations/${translationId}/reviews`;
  const { id } = (await admin.get(path)).body.items[0];
  const before = await recorded('translation_review_resolved');
  const resolve = () =>
    admin.mutate('resolveTranslationReview', { translationId, translationReviewId: id, resolution }, 'deletedId').then(
      ({ deletedId }) => deletedId,
      ({ code }) => code,
    );
  const locked = table === 'space' ? translatedId : id;
  expect((await twice(table, locked, resolve)).toSorted()).toEqual(['NOT_FOUND', id]);
  expect(await recorded('translation_review_resolved')).toBe(before + 1);
});

test('a conversation is deleted once', async () => {
  const path = `/v1/orgs/${organizationId}/conversations`;
  expect((await admin.post(path, asked('c-1', 'How do I sign in?'))).status).toBeLessThan(300);
  const { id } = await db.selectFrom('conversation').select('id').executeTakeFirstOrThrow();
  const remove = () => admin.mutate('deleteConversation', { conversationId: id }, 'deletedId');
  const deleted = await twice('conversation', id, remove);
  expect(deleted.map(({ deletedId }) => deletedId).filter((each) => each !== null)).toEqual([id]);
  expect(await recorded('conversation_deleted')).toBe(1);
});

test.each([
  ['deleteInvite', 'email_invite', 'inviteId', 'invite_deleted'],
  ['deleteLinkInvite', 'link_invite', 'inviteId', 'link_invite_deleted'],
])('%s deletes an invite once', async (mutation, table, argument, kind) => {
  const path = `/v1/orgs/${organizationId}`;
  await admin.post(`${path}/invites`, { emails: ['new@example.com'], role: 'read' });
  await admin.post(`${path}/link-invites`, { role: 'read' });
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} limit 1`.execute(db);
  const id = rows[0]?.id ?? '';
  const deleted = await twice(table, id, () => admin.mutate(mutation, { [argument]: id }, 'deletedId'));
  expect(deleted.map(({ deletedId }) => deletedId).filter((each) => each !== null)).toEqual([id]);
  expect(await recorded(kind)).toBe(1);
});

test('commands at once do not exceed a limit that they count together', async () => {
  const { body: space } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Imported', empty: true });
  const start = () =>
    admin.post(`/v1/org/${organizationId}/imports`, {
      source: { type: 'website', url: 'https://example.com/' },
      target: { space: space.id },
    });
  const answers = await Promise.all(Array.from({ length: 26 }, start));
  const statuses = Object.groupBy(answers, ({ status }) => String(status));
  expect([statuses[201]?.length, statuses[409]?.length]).toEqual([20, 6]);
});
