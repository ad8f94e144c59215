import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closeClusters } from '../../../src/domain/insight/conversations/close-clusters.ts';
import { claimBatch } from '../../../src/platform/events/event-consumer.ts';
import { intruder } from '../../limits/processes.ts';
import { publishedSite } from '../../publishing/reader-world.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';
import { asked, grouped, QUESTIONS } from './conversations.ts';

const here = await world();
const { app, admin, creator, editor, reader, guest, outsider, organizationId, otherOrganizationId } = here;
const base = `/v1/orgs/${organizationId}`;
const WEEK = 7 * 24 * 60 * 60 * 1000;

const ago = (weeks: number) => new Date(Date.now() - weeks * WEEK - 1_000).toISOString();

await admin.post(
  `${base}/conversations`,
  QUESTIONS.map((body, index) => asked(`q${index}`, body, { metadata: { createdAt: ago(index % 4) } })),
);
await grouped(here);

interface Cluster {
  id: string;
  label: string;
  summary: string;
  weeklyPulse: number[];
  stats: Record<string, number>;
  sources: Record<string, number>;
  closedAt?: string;
  status: string;
}

const clusters = async (query = ''): Promise<Cluster[]> =>
  (await reader.restAs('listConversationsIssuesClusters', 'GET', `${base}/conversations-clusters${query}`)).body.items;

const clusterOn = async (word: string): Promise<Cluster> => {
  const found = (await clusters()).find(({ label }) => label.includes(word));
  if (!found) throw new Error(`There is no cluster on "${word}".`);
  return found;
};

test('similar questions are in one cluster, with a label, a summary and counts', async () => {
  const found = await clusters();
  expect(found).toHaveLength(3);
  const password = await clusterOn('password');
  expect(password).toMatchObject({
    object: 'issues-cluster',
    icon: 'circle-question',
    status: 'complete',
    sources: { [`integration:api:${admin.userId}`]: 4 },
    stats: { issues: 4, conversations: 4, tasksTotal: 0 },
    weeklyPulse: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1],
    urls: { location: expect.stringContaining(`/conversations-clusters/${password.id}`) },
  });
  expect(QUESTIONS).toContain(password.summary);
});

test('issues name their conversation and cluster on both transports', async () => {
  const { id } = await clusterOn('invoice');
  const { body } = await reader.restAs('listConversationsIssues', 'GET', `${base}/conversations-issues?cluster=${id}`);
  expect(body.items).toHaveLength(4);
  const [{ issue, conversation }] = body.items;
  expect(issue).toMatchObject({
    object: 'conversation-issue',
    cluster: id,
    conversation: conversation.id,
    language: 'en',
  });
  const one = await reader.restAs('getConversationIssueById', 'GET', `${base}/conversations-issues/${issue.id}`);
  expect(one.body).toEqual({ issue, conversation });
  const own = await reader.get(`${base}/conversations-issues?conversation=${conversation.id}`);
  expect(own.body.items).toEqual([{ issue, conversation }]);
  const { organization } = await reader.graphql(`{ organization(id: "${organizationId}") {
    conversationIssue(id: "${issue.id}") { id title summary conversation { id } cluster { id } }
    conversationIssues(cluster: "${id}") { totalCount }
    issuesCluster(id: "${id}") { issues(first: 1) { totalCount nodes { id } } sources { source count } weeklyPulse }
    conversation(id: "${conversation.id}") { processedAt issues { nodes { id } } } } }`);
  expect(organization).toMatchObject({
    conversationIssue: { id: issue.id, title: issue.title, conversation: { id: conversation.id }, cluster: { id } },
    conversationIssues: { totalCount: 4 },
    issuesCluster: { issues: { totalCount: 4 }, sources: [{ count: 4 }] },
    conversation: { processedAt: expect.any(String), issues: { nodes: [{ id: issue.id }] } },
  });
});

test('guests and outsiders see neither issues nor clusters', async () => {
  const { id } = await clusterOn('invoice');
  for (const [caller, status] of [
    [guest, 403],
    [outsider, 404],
  ] as const) {
    for (const path of [
      'conversations-clusters',
      `conversations-clusters/${id}/pages`,
      `conversations-clusters/${id}`,
      `conversations-clusters/${id}/change-requests`,
      'conversations-issues',
    ]) {
      expect([path, (await caller.get(`${base}/${path}`)).status]).toEqual([path, status]);
    }
    expect(await caller.graphql(`{ node(id: "${id}") { id } }`)).toEqual({ node: null });
  }
  expect((await outsider.get(`/v1/orgs/${otherOrganizationId}/conversations-clusters/${id}`)).status).toBe(404);
});

test('clusters are sorted by each of their fields, and bad fields are refused', async () => {
  await admin.post(`${base}/conversations`, [asked('q20', 'I forgot the password and need a password reset email')]);
  await grouped(here);
  for (const orderBy of ['updatedAt', 'issues', 'conversations', 'tasksTotal', 'tasksBacklog', 'tasksStarted']) {
    const down = await clusters(`?orderBy=${orderBy}`);
    const up = await clusters(`?orderBy=${orderBy}&order=asc`);
    expect(down.map(({ id }) => id)).toEqual(up.toReversed().map(({ id }) => id));
  }
  expect((await clusters('?orderBy=issues'))[0]?.label).toContain('password');
  expect((await clusters('?orderBy=updatedAt'))[0]?.label).toContain('password');
  const paged = await reader.get(`${base}/conversations-clusters?orderBy=issues&limit=1`);
  const next = await reader.get(`${base}/conversations-clusters?orderBy=issues&limit=1&page=${paged.body.next.page}`);
  expect(next.body.items[0].id).not.toBe(paged.body.items[0].id);
  const wrong = await reader.get(`${base}/conversations-clusters?orderBy=label`);
  expect([wrong.status, wrong.body.error.issues]).toEqual([400, [expect.objectContaining({ path: ['orderBy'] })]]);
});

test('a cluster with new issues is evaluated again by the next complete grouping, and keeps its id', async () => {
  const { id } = await clusterOn('password');
  const before = await clusters();
  expect((await clusters('?status=analysing')).map((cluster) => cluster.id)).toEqual([id]);
  await grouped(here, true);
  expect(await clusters('?status=analysing')).toEqual([]);
  expect((await clusters()).map((cluster) => cluster.id).toSorted()).toEqual(
    before.map((cluster) => cluster.id).toSorted(),
  );
});

test('questions that are new form a pending cluster', async () => {
  const [first, second] = ['Webhook signature header is invalid', 'The webhook signature header does not match'];
  await admin.post(`${base}/conversations`, [asked('w1', first), asked('w2', second)]);
  await grouped(here);
  const [found] = await clusters('?status=pending');
  expect(found).toMatchObject({ status: 'pending', stats: { issues: 2 } });
  await grouped(here, true);
  expect(await clusters('?status=pending')).toEqual([]);
});

async function newSpace(): Promise<string> {
  const { space } = await creator.mutate('createSpace', { organizationId, title: 'Guide' }, 'space { id }');
  return space.id;
}

test('pages that answer a cluster are found best first, with the words that they lack, where the caller may read', async () => {
  const pages = [
    { title: 'Reset a password', document: { markdown: 'A link to reset the password is sent by email.' } },
    { title: 'Sign in', document: { markdown: 'Enter your passwords.' } },
    { title: 'Colors', document: { markdown: 'Red and blue.' } },
  ];
  const spaceId = await newSpace();
  const changes = pages.map((page) => ({ insertPage: page }));
  await creator.mutate('updateSpaceContent', { spaceId, changes }, 'space { id }');
  const cluster = await clusterOn('password');
  const { body } = await reader.get(`${base}/conversations-clusters/${cluster.id}/pages`);
  const titles = body.items.map(({ title }: { title: string }) => title);
  expect(titles).toEqual(['Reset a password', 'Sign in']);
  expect(body.items[0]).toMatchObject({ space: spaceId, path: 'reset-a-password' });
  expect(body.items[0].missing).not.toContain('password');
  expect(body.items[1].missing).toContain('reset');
  expect(body.items[0].score).toBeGreaterThan(body.items[1].score);
  const read = `{ organization(id: "${organizationId}") { issuesClusters { nodes { id pages(first: 1) { nodes { title missing page { title } space { id } } } } } } }`;
  const { organization } = await reader.graphql(read);
  const own = organization.issuesClusters.nodes.find(({ id }: Cluster) => id === cluster.id);
  expect(own.pages.nodes).toEqual([
    {
      title: 'Reset a password',
      missing: body.items[0].missing,
      page: { title: 'Reset a password' },
      space: { id: spaceId },
    },
  ]);
  await app.services.db.updateTable('space').set({ defaultLevel: 'none' }).where('id', '=', spaceId).execute();
  expect((await reader.get(`${base}/conversations-clusters/${cluster.id}/pages`)).body.items).toEqual([]);
});

test('words within a condition are not found by a user who sees the space only through a site', async () => {
  const spaceId = await newSpace();
  const insert = (title: string, markdown: string) => ({ insertPage: { title, document: { markdown } } });
  const hidden = '{% if visitor.claims.partner == true %}\nReset the password.\n{% endif %}';
  const changes = [insert('Accounts', hidden), insert('Help', 'How to reset a password.')];
  await creator.mutate('updateSpaceContent', { spaceId, changes }, 'space { id }');
  await publishedSite(admin, organizationId, { title: 'Docs', spaces: [spaceId] });
  const { id } = await clusterOn('password');
  const found = async () => {
    const { body } = await reader.get(`${base}/conversations-clusters/${id}/pages`);
    return body.items
      .filter(({ space }: { space: string }) => space === spaceId)
      .map(({ title }: { title: string }) => title);
  };
  expect((await found()).sort()).toEqual(['Accounts', 'Help']);
  await app.services.db.updateTable('space').set({ defaultLevel: 'none' }).where('id', '=', spaceId).execute();
  expect(await found()).toEqual(['Help']);
});

const TASK = 'changeRequest { id issuesCluster { id stats { tasksTotal tasksBacklog } } }';

test('a change request is created for a cluster, and both name each other', async () => {
  const cluster = await clusterOn('pdf');
  const spaceId = await newSpace();
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId, issuesClusterId: cluster.id }, TASK);
  expect(changeRequest.issuesCluster).toEqual({ id: cluster.id, stats: { tasksTotal: 1, tasksBacklog: 1 } });
  const path = `/v1/spaces/${spaceId}/change-requests`;
  const posted = await editor.post(path, { subject: 'Second', conversationsIssuesCluster: cluster.id });
  expect(posted.body.conversationsIssuesCluster).toBe(cluster.id);
  await editor.patch(`${path}/${posted.body.id}`, { status: 'open' });
  const third = await editor.post(path, { conversationsIssuesCluster: cluster.id });
  await editor.patch(`${path}/${third.body.id}`, { status: 'archived' });
  await editor.post(path, { subject: 'Of no cluster' });
  expect((await clusterOn('pdf')).stats).toMatchObject({
    tasksTotal: 3,
    tasksBacklog: 1,
    tasksStarted: 1,
    tasksCompleted: 0,
    tasksCancelled: 1,
  });
  const filter = `conversationsIssuesCluster=${cluster.id}`;
  const ofCluster = await editor.restAs('listChangeRequestsForSpace', 'GET', `${path}?status=all&${filter}`);
  expect(ofCluster.body.items).toHaveLength(3);
  const ofOrganization = await editor.restAs(
    'listChangeRequestsForOrganization',
    'GET',
    `${base}/change-requests?${filter}`,
  );
  expect(ofOrganization.body.items.map(({ id }: { id: string }) => id)).toEqual([posted.body.id]);
  const there = await reader.get(`${base}/conversations-clusters/${cluster.id}/change-requests`);
  expect(there.body.items).toHaveLength(3);
  const { organization } =
    await reader.graphql(`{ organization(id: "${organizationId}") { issuesCluster(id: "${cluster.id}") {
    changeRequests(status: DRAFT) { nodes { id issuesCluster { id } } } } } }`);
  expect(organization.issuesCluster.changeRequests.nodes).toEqual([
    { id: changeRequest.id, issuesCluster: { id: cluster.id } },
  ]);
});

test('a cluster of another organization, or one that the caller cannot see, is bad input', async () => {
  const cluster = await clusterOn('pdf');
  const { space } = await outsider.mutate(
    'createSpace',
    { organizationId: otherOrganizationId, title: 'Theirs' },
    'space { id }',
  );
  const foreign = outsider.mutate('createChangeRequest', { spaceId: space.id, issuesClusterId: cluster.id }, TASK);
  await expect(foreign).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  const spaceId = await newSpace();
  await here.grant(spaceId, guest.userId, 'edit');
  const hidden = await guest.post(`/v1/spaces/${spaceId}/change-requests`, { conversationsIssuesCluster: cluster.id });
  expect([hidden.status, hidden.body.error.issues[0].path]).toEqual([400, ['conversationsIssuesCluster']]);
});

async function mergeAll(clusterId: string): Promise<void> {
  const { body } = await admin.get(`${base}/conversations-clusters/${clusterId}/change-requests`);
  for (const { id, status } of body.items as { id: string; status: string }[]) {
    if (status === 'archived') continue;
    await admin.mutate('mergeChangeRequest', { changeRequestId: id }, 'result');
    await settled(app.services.db);
    await claimBatch(app.services, closeClusters);
  }
}

test('a cluster is closed when its last open change request is merged, and opened when the question returns', async () => {
  const cluster = await clusterOn('pdf');
  await mergeAll(cluster.id);
  expect(await clusterOn('pdf')).toMatchObject({ closedAt: expect.any(String), stats: { tasksCompleted: 2 } });
  const old = asked('old', 'Images are missing in my PDF export', { metadata: { createdAt: ago(2) } });
  await admin.post(`${base}/conversations`, old);
  await grouped(here);
  expect((await clusterOn('pdf')).closedAt).toBeDefined();
  here.advance(60_000);
  await admin.post(`${base}/conversations`, asked('new', 'PDF export without images again'));
  await grouped(here);
  expect((await clusterOn('pdf')).closedAt).toBeUndefined();
  const kinds = (await here.eventsBy()).map(({ type }) => type);
  expect(kinds).toEqual(expect.arrayContaining(['issues_cluster_closed', 'issues_cluster_reopened']));
});

test('a replaced conversation keeps its issue, which changes the cluster', async () => {
  const find = async () => {
    const { body } = await reader.get(`${base}/conversations-issues?limit=100`);
    return body.items.find(({ issue }: { issue: { title: string } }) => /returned|moved/.test(issue.title))?.issue;
  };
  await admin.post(`${base}/conversations`, asked('m', 'returned password reset email'));
  await grouped(here);
  const before = await find();
  await admin.post(`${base}/conversations`, asked('m', 'moved: VAT number on the invoice'));
  await grouped(here);
  const after = await find();
  expect(after.id).toBe(before.id);
  expect([before.cluster, after.cluster]).toEqual([(await clusterOn('password')).id, (await clusterOn('invoice')).id]);
});

test('a cluster shows no words of a conversation that was replaced', async () => {
  const { summary } = await clusterOn('invoice');
  const replaced = QUESTIONS.indexOf(summary);
  expect(replaced).toBeGreaterThanOrEqual(0);
  await admin.post(`${base}/conversations`, asked(`q${replaced}`, 'The sidebar has the wrong font'));
  await grouped(here);
  const after = await clusterOn('invoice');
  expect([after.summary === summary, after.summary === '', after.status]).toEqual([false, false, 'analysing']);
});

test('deleting conversations shrinks their cluster, and nothing of them stays in its summary', async () => {
  const { id, stats, summary } = await clusterOn('invoice');
  const { body } = await reader.get(`${base}/conversations-issues?cluster=${id}`);
  const typical = body.items.find(({ issue }: { issue: { summary: string } }) => issue.summary === summary);
  await admin.delete(`${base}/conversations/${typical.conversation.id}`);
  const after = await clusterOn('invoice');
  expect(after.stats.issues).toBe((stats.issues ?? 0) - 1);
  expect(after.summary).not.toBe(summary);
  expect(after.status).toBe('analysing');
  expect((await reader.get(`${base}/conversations-issues/${typical.issue.id}`)).status).toBe(404);
});

test('a label loses the words that only a deleted conversation contains', async () => {
  const bodies = ['Keyboard shortcuts in Zanzibar', 'Shortcuts of the keyboard'];
  await admin.post(
    `${base}/conversations`,
    bodies.map((body) => asked(body, body)),
  );
  await grouped(here, true);
  const { id, label } = await clusterOn('shortcuts');
  expect(label).toMatch(/zanzibar/i);
  const { body } = await reader.get(`${base}/conversations-issues?cluster=${id}`);
  const deleted = body.items.find(({ issue }: { issue: { title: string } }) => issue.title.includes('Zanzibar'));
  await admin.delete(`${base}/conversations/${deleted.conversation.id}`);
  const after = (await clusters()).find((cluster) => cluster.id === id)?.label;
  expect(after).toContain('shortcuts');
  expect(after).not.toMatch(/zanzibar/i);
});

test('without conversations, only clusters with change requests stay, without words of the conversations', async () => {
  await admin.mutate(
    'purgeConversations',
    { organizationId, source: `integration:api:${admin.userId}` },
    'deletedCount',
  );
  await grouped(here, true);
  const left = await clusters();
  expect(left.map(({ stats, label, summary }) => [stats.issues, stats.tasksTotal, label, summary])).toEqual([
    [0, 3, '', ''],
  ]);
});

/**
 * A cluster of new questions, with a change request in each of two spaces. Later questions are newer than what was
 * merged.
 */
async function withTasks(subject: string, ...questions: string[]) {
  const ask = async (...bodies: string[]) => {
    here.advance(1_000);
    await admin.post(
      `${base}/conversations`,
      bodies.map((body) => asked(body, body)),
    );
    await grouped(here, true);
    here.advance(1_000);
  };
  await ask(...questions);
  const { id } = await clusterOn(subject);
  const task = async () => {
    const path = `/v1/spaces/${await newSpace()}`;
    const { body } = await editor.post(`${path}/change-requests`, { conversationsIssuesCluster: id });
    return { path, changeRequestId: body.id };
  };
  return {
    tasks: [await task(), await task()] as const,
    ask,
    isClosed: async () => {
      await settled(app.services.db);
      await claimBatch(app.services, closeClusters);
      return (await clusterOn(subject)).closedAt !== undefined;
    },
  };
}

type Task = Awaited<ReturnType<typeof withTasks>>['tasks'][0];
const merge = ({ changeRequestId }: Task) => admin.mutate('mergeChangeRequest', { changeRequestId }, 'result');
const archive = ({ path, changeRequestId }: Task) =>
  editor.patch(`${path}/change-requests/${changeRequestId}`, { status: 'archived' });

test('a cluster is closed when one change request was merged, and the other one is archived', async () => {
  const { tasks, isClosed } = await withTasks('calendar', 'The calendar is empty', 'Why is my calendar empty?');
  await merge(tasks[0]);
  expect(await isClosed()).toBe(false);
  await archive(tasks[1]);
  expect(await isClosed()).toBe(true);
});

test('a cluster stays open when the last change request is archived, if a question has come since one was merged', async () => {
  const questions = ['Dashboard colors look pale', 'Pale colors on the dashboard'];
  const { tasks, ask, isClosed } = await withTasks('dashboard', ...questions);
  await merge(tasks[0]);
  expect(await isClosed()).toBe(false);
  await ask('Dashboard colors look pale again');
  expect((await clusterOn('dashboard')).stats.issues).toBe(3);
  await archive(tasks[1]);
  expect(await isClosed()).toBe(false);
});

test('a change request in a deleted space keeps no cluster open', async () => {
  const questions = ['Keyboard shortcuts stopped working', 'My keyboard shortcuts stopped'];
  const { tasks, isClosed } = await withTasks('keyboard', ...questions);
  await admin.delete(tasks[1].path);
  expect(await isClosed()).toBe(false);
  await merge(tasks[0]);
  expect(await isClosed()).toBe(true);
});

test('a cluster is closed when the space of the last open change request is deleted after a merge', async () => {
  const { tasks, isClosed } = await withTasks(
    'printer',
    'The printer queue is stuck',
    'My printer queue is stuck again',
  );
  await merge(tasks[0]);
  expect(await isClosed()).toBe(false);
  await admin.delete(tasks[1].path);
  expect(await isClosed()).toBe(true);
});

test('a merged change request in a deleted space closes no cluster', async () => {
  const { tasks, isClosed } = await withTasks('scanner', 'The scanner shows stripes', 'Stripes from my scanner');
  await merge(tasks[0]);
  expect(await isClosed()).toBe(false);
  await admin.delete(tasks[0].path);
  await archive(tasks[1]);
  expect(await isClosed()).toBe(false);
});

test('a question that claims to come from the future keeps a cluster open no longer than others', async () => {
  const { tasks, isClosed } = await withTasks('keypad', 'The keypad does not light up', 'My keypad does not light up');
  const createdAt = ago(-1);
  await admin.post(
    `${base}/conversations`,
    asked('tomorrow', 'The keypad does not light', { metadata: { createdAt } }),
  );
  await grouped(here, true);
  expect((await clusterOn('keypad')).stats.issues).toBe(3);
  here.advance(1_000);
  await archive(tasks[1]);
  await merge(tasks[0]);
  expect(await isClosed()).toBe(true);
  await grouped(here, true);
  expect((await clusterOn('keypad')).closedAt).toBeDefined();
});

test('a merge whose event is read late does not close a cluster with a newer question', async () => {
  const questions = ['Bookmarks vanish after the update', 'All bookmarks vanish with the update'];
  const { tasks, ask, isClosed } = await withTasks('bookmarks', ...questions);
  await archive(tasks[1]);
  await merge(tasks[0]);
  await ask('Bookmarks vanish after another update');
  expect((await clusterOn('bookmarks')).stats.issues).toBe(3);
  expect(await isClosed()).toBe(false);
});

test('a job whose lease has run out leaves the lease of the next one', async () => {
  await using other = await intruder(here.databaseUrl);
  await other.lockTable('conversation');
  const running = grouped(here);
  await expect.poll(() => other.waiting()).toBe(1);
  const leasedUntil = new Date(Date.now() + WEEK).toISOString();
  const ofNext = { leasedUntil, requestedAt: null };
  const { db } = app.services;
  await db.updateTable('issues_grouping').set(ofNext).where('organizationId', '=', organizationId).execute();
  await other.release();
  await running;
  const row = db.selectFrom('issues_grouping').where('organizationId', '=', organizationId).select('leasedUntil');
  expect(await row.executeTakeFirst()).toEqual({ leasedUntil });
});

test('a job that was requested while another one works is enqueued when that one ends', async () => {
  const { db } = app.services;
  const ofGrouping = () => db.updateTable('issues_grouping').where('organizationId', '=', organizationId);
  await ofGrouping().set({ leasedUntil: null, requestedAt: null }).execute();
  await sql`delete from pgboss.job where name = 'group-issues'`.execute(db);
  const enqueued = async () =>
    (await sql`select from pgboss.job where name = 'group-issues' and group_id = ${organizationId}`.execute(db)).rows;
  await grouped(here);
  expect(await enqueued()).toHaveLength(0);
  await using other = await intruder(here.databaseUrl);
  await other.lockTable('conversation');
  const running = grouped(here);
  await expect.poll(() => other.waiting()).toBe(1);
  await ofGrouping().set({ requestedAt: new Date().toISOString() }).execute();
  await other.release();
  await running;
  expect(await enqueued()).toHaveLength(1);
});
