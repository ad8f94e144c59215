import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spaceWith } from '../publishing/reader-world.ts';
import { world } from '../world.ts';
import { McpAgent } from './agent.ts';

/*
 * Twenty tasks of agents, each solved in as few calls as the tools allow by a client that begins with the ID of the
 * space and reads everything else. The handbook has their calls, and upper bounds of the bytes sent and received,
 * beside those of reading and writing whole pages over REST.
 */

const { admin, reviewer, organizationId } = await world({ ALLOW_PRIVATE_NETWORK: '1' });

const PATH = join(import.meta.dirname, '..', '..', 'src', 'demo', 'handbook', 'interfaces', 'agents.md');

interface Bounds {
  calls: number;
  bytes: number;
  /** Bytes of reading and writing the pages, at least. */
  whole: number | undefined;
}

const numberIn = (cell: string) => Number(cell.replaceAll(',', ''));

const table = new Map<string, Bounds>(
  [...readFileSync(PATH, 'utf8').matchAll(/^\| ([A-Z][^|]*) \| (\d+) \| ([\d,]+) \| ([\d,]*) ?\|$/gm)].map(
    ([, task = '', calls = '', bytes = '', whole = '']) => [
      task,
      { calls: numberIn(calls), bytes: numberIn(bytes), whole: whole === '' ? undefined : numberIn(whole) },
    ],
  ),
);

/** A page of about 13 kB: a reference with forty settings. */
const reference = (name: string, extra: string) =>
  [
    `${extra}\n`,
    ...Array.from(
      { length: 40 },
      (_, i) =>
        `## Setting ${name}${i}\n\nThe setting ${name}${i} bounds the time that a worker waits for the next part of a message before it gives up. ` +
        `Its value is a number of seconds between ${i + 1} and ${i + 600}. If it is zero, the worker does not wait.\n\n` +
        '```sh\nserver --wait 30\n```\n\n* Changes need a restart.\n* The default suits most networks.\n',
    ),
  ].join('\n');

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const web = createServer((_request, response) => response.setHeader('content-type', 'image/png').end(PIXEL));
let image = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  image = `http://127.0.0.1:${(web.address() as AddressInfo).port}/plan.png`;
});

afterAll(() => new Promise((resolve) => web.close(resolve)));

const space = async () => {
  const { spaceId, pageIds } = await spaceWith(admin, organizationId, 'Product', [
    {
      title: 'Workers',
      document: {
        markdown: reference('w', 'Workers recieve messages. Each Widget has an owner, and no Widget has two.'),
      },
    },
    { title: 'Queues', document: { markdown: reference('q', 'Queues recieve messages. A Widget waits here.') } },
    { title: 'Limits', document: { markdown: reference('l', 'Servers recieve messages. One Widget has one limit.') } },
    {
      title: 'Billing',
      document: {
        markdown: 'Invoices are sent monthly.\n\n## Refunds\n\nRefunds take five days.\n\nSee [terms](absent.md).\n',
      },
    },
  ]);
  return { spaceId, pageIds };
};

type Space = Awaited<ReturnType<typeof space>>;

const at = (items: { id: string }[], index: number) => items[index]?.id ?? '';

const proposal = async (agent: McpAgent, spaceId: string, subject: string) => {
  const { id } = await agent.call('createChangeRequest', { spaceId, subject });
  return { spaceId, changeRequestId: id as string };
};

/** Pages that a search in the space finds. */
const found = async (agent: McpAgent, spaceId: string, query: string, limit = 10) =>
  (await agent.call('search', { spaceId, query, limit })).items.map(
    ({ pages }: { pages: { id: string }[] }) => pages[0],
  );

/** Arranged by another client, so that its calls do not count. */
const arranged = async (spaceId: string, changes: object[]) => {
  const helper = new McpAgent(admin);
  const name = await proposal(helper, spaceId, 'Earlier work');
  await helper.call('editPageText', { ...name, changes });
  return name;
};

const inSpace = async (spaceId: string, changes: object[]) => {
  const { status } = await admin.post(`/v1/spaces/${spaceId}/content`, { changes });
  expect(status).toBe(200);
};

/** The bytes of reading pages as Markdown and writing them whole over REST. */
async function wholePages(spaceId: string, pageIds: readonly string[]): Promise<number> {
  const { id } = (await admin.post(`/v1/spaces/${spaceId}/change-requests`, { subject: 'Whole' })).body;
  let bytes = 0;
  for (const pageId of pageIds) {
    const { body: page } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}?format=markdown`);
    const changes = [{ operation: 'update_page', page: pageId, document: { markdown: page.markdown } }];
    const { body: written } = await admin.post(`/v1/spaces/${spaceId}/change-requests/${id}/content`, { changes });
    bytes += JSON.stringify(page).length + JSON.stringify({ changes }).length + JSON.stringify(written).length;
  }
  return bytes;
}

/** Reads what a task has made. Its calls do not count. */
const reader = new McpAgent(admin);

const textOf = async (name: object, pageId: string | undefined): Promise<string> =>
  (await reader.call('getPage', { ...name, pageId })).text;

interface Task {
  name: string;
  solve(agent: McpAgent, space: Space): Promise<void>;
  /** The pages that would be read and written whole. */
  pages?: readonly number[];
}

interface FoundPage {
  id: string;
  sections: { body: string }[];
}

const TASKS: Task[] = [
  {
    name: 'Fix a typo in three pages',
    pages: [0, 1, 2],
    async solve(agent, { spaceId }) {
      const pages = await found(agent, spaceId, 'recieve');
      const name = await proposal(agent, spaceId, 'Fix a typo');
      const edits = [{ find: 'recieve', replaceWith: 'receive' }];
      const changes = pages.map(({ id }: { id: string }) => ({ page: id, edits }));
      expect((await agent.call('editPageText', { ...name, changes })).changes).toHaveLength(3);
      for (const { id } of pages) expect(await textOf(name, id)).not.toContain('recieve');
    },
  },
  {
    name: 'Rename a term everywhere',
    pages: [0, 1, 2],
    async solve(agent, { spaceId, pageIds }) {
      const pages: FoundPage[] = await found(agent, spaceId, 'Widget');
      const name = await proposal(agent, spaceId, 'Rename widgets');
      const changes = pages.map(({ id, sections }) => {
        const count = sections.flatMap(({ body }) => body.match(/Widget/g) ?? []).length;
        const occurrences = Array.from({ length: count }, (_, i) => i + 1);
        return {
          page: id,
          edits: occurrences.map((occurrence) => ({ find: 'Widget', replaceWith: 'Part', occurrence })),
        };
      });
      expect((await agent.call('editPageText', { ...name, changes })).changes).toHaveLength(3);
      const texts = await Promise.all(pageIds.map((id) => textOf(name, id)));
      expect(texts.join('').match(/Widget|Part/g)).toEqual(['Part', 'Part', 'Part', 'Part']);
    },
  },
  {
    name: 'Document an endpoint on a new page',
    async solve(agent, { spaceId }) {
      const { items } = await agent.call('listPages', { spaceId });
      const name = await proposal(agent, spaceId, 'Document GET /parts');
      const document = { markdown: 'Lists parts.\n\n## Parameters\n\n* `limit`: number of parts.\n' };
      const changes = [{ title: 'List parts', document, after: at(items, 1) }];
      expect((await agent.call('insertPage', { ...name, changes })).changes).toHaveLength(1);
    },
  },
  {
    name: 'Add a paragraph to a section',
    pages: [0],
    async solve(agent, { spaceId }) {
      const [page] = await found(agent, spaceId, 'setting w7', 1);
      const name = await proposal(agent, spaceId, 'Explain w7');
      const changes = [{ page: page.id, headings: ['Setting w7'], append: 'Zero is for tests only.' }];
      await agent.call('editPageSection', { ...name, changes });
      expect(await textOf(name, page.id)).toMatch(/## Setting w7\n[^#]*Zero is for tests only\.\n\n## Setting w8\n/);
    },
  },
  {
    name: 'Reword one section of a long page',
    pages: [1],
    async solve(agent, { spaceId }) {
      const [page] = await found(agent, spaceId, 'setting q20', 1);
      const anchor = page.sections[0].path.split('#')[1];
      const { text, sectionVersion } = await agent.call('getPage', { spaceId, pageId: page.id, anchor });
      const name = await proposal(agent, spaceId, 'Reword q20');
      const replaceWith = text.split('\n').slice(2).join('\n').replace('gives up', 'ends');
      expect(replaceWith).toContain('The setting q20');
      const change = { page: page.id, anchor, sectionVersion, replaceWith };
      await agent.call('editPageSection', { ...name, changes: [change] });
      expect(await textOf(name, page.id)).toMatch(/## Setting q20\n[^#]* before it ends\./);
    },
  },
  {
    name: 'Put a warning before the first block',
    pages: [0],
    async solve(agent, { spaceId }) {
      const outline = { spaceId, path: 'workers', blocks: true, toLine: 2 };
      const { id: page, blocks } = await agent.call('getPageOutline', outline);
      const name = await proposal(agent, spaceId, 'Warn');
      const insert = { beforeKey: blocks[0].key, document: { markdown: '> Test this first.' } };
      await agent.call('editPageBlocks', { ...name, changes: [{ page, edits: [{ insert }] }] });
      expect(await textOf(name, page)).toMatch(/^> Test this first\.\n\nWorkers /);
    },
  },
  {
    name: 'Move a page to the beginning',
    async solve(agent, { spaceId }) {
      const { items } = await agent.call('listPages', { spaceId });
      const name = await proposal(agent, spaceId, 'Move limits');
      await agent.call('movePage', { ...name, changes: [{ page: at(items, 2), at: 0 }] });
      expect((await reader.call('listPages', name)).items[0].id).toBe(at(items, 2));
    },
  },
  {
    name: 'Change the title of a page',
    async solve(agent, { spaceId }) {
      const { id } = await agent.call('getPage', { spaceId, path: 'billing', toLine: 1 });
      const name = await proposal(agent, spaceId, 'Retitle');
      await agent.call('updatePage', { ...name, changes: [{ page: id, title: 'Payments' }] });
      expect((await reader.call('getPage', { ...name, pageId: id })).title).toBe('Payments');
    },
  },
  {
    name: 'Add an image from a URL',
    pages: [3],
    async solve(agent, { spaceId, pageIds }) {
      const name = await proposal(agent, spaceId, 'Show the plan');
      const files = [{ name: 'plan.png', url: image }];
      const { insertedFiles } = await agent.call('addFilesFromUrls', { ...name, changes: [{ files }] });
      const append = `![The plan](${insertedFiles[0].downloadURL})`;
      await agent.call('editPageSection', { ...name, changes: [{ page: pageIds[3], headings: ['Refunds'], append }] });
      expect(await textOf(name, pageIds[3])).toContain('![The plan](');
    },
  },
  {
    name: 'Repair a broken link',
    pages: [3],
    async solve(agent, { spaceId }) {
      const { items } = await agent.call('listBrokenLinks', { spaceId });
      const page = items[0].locationId;
      const name = await proposal(agent, spaceId, 'Repair a link');
      const edits = [{ find: '(absent.md)', replaceWith: '(limits.md)' }];
      await agent.call('editPageText', { ...name, changes: [{ page, edits }] });
      expect((await agent.call('listBrokenLinks', name)).items).toEqual([]);
    },
  },
  {
    name: 'Try an edit before making it',
    pages: [0],
    async solve(agent, { spaceId, pageIds }) {
      const name = await proposal(agent, spaceId, 'Try');
      const changes = [{ page: pageIds[0], edits: [{ find: 'recieve', replaceWith: 'receive' }] }];
      const { preview } = await agent.call('editPageText', { ...name, changes, dryRun: true });
      expect(preview.pages[0].diff).toContain('+Workers receive');
      await agent.call('editPageText', { ...name, changes });
      expect(await textOf(name, pageIds[0])).toContain('Workers receive');
    },
  },
  {
    name: 'Answer a question with citations',
    async solve(agent, { spaceId }) {
      const [page] = await found(agent, spaceId, 'refunds', 3);
      const { text, urls } = await agent.call('getPage', { spaceId, pageId: page.id });
      expect(text).toContain('Refunds take five days.');
      expect(urls.app).toContain(page.id);
    },
  },
  {
    name: 'Find the pages on a subject',
    async solve(agent, { spaceId }) {
      expect((await found(agent, spaceId, 'invoices')).length).toBe(1);
    },
  },
  {
    name: 'Read one section of a long page',
    async solve(agent, { spaceId }) {
      const [page] = await found(agent, spaceId, 'setting l4', 1);
      const anchor = page.sections[0].path.split('#')[1];
      expect((await agent.call('getPage', { spaceId, pageId: page.id, anchor })).text).toContain('## Setting l4\n');
    },
  },
  {
    name: 'Review a change request',
    async solve(agent, { spaceId, pageIds }) {
      const edits = [{ find: 'recieve', replaceWith: 'recive' }];
      const name = await arranged(spaceId, [{ page: pageIds[0], edits }]);
      await agent.call('getChangeRequest', name);
      const { items } = await agent.call('getChangeRequestDiff', name);
      expect(items[0].diff).toContain('recive');
      await agent.call('postComment', { ...name, markdown: 'It is "receive".', pageId: items[0].pageId });
      expect((await reader.call('listComments', name)).items).toMatchObject([{ target: { page: { id: pageIds[0] } } }]);
    },
  },
  {
    name: 'Do what a comment asks, and resolve it',
    async solve(agent, { spaceId, pageIds }) {
      const name = await arranged(spaceId, [{ page: pageIds[0], edits: [{ find: 'recieve', replaceWith: 'recive' }] }]);
      await new McpAgent(admin).call('postComment', { ...name, markdown: 'It is "receive".', pageId: pageIds[0] });
      const [comment] = (await agent.call('listComments', name)).items;
      const edits = [{ find: 'recive', replaceWith: 'receive' }];
      await agent.call('editPageText', { ...name, changes: [{ page: comment.target.page.id, edits }] });
      await agent.call('replyToComment', { ...name, commentId: comment.id, markdown: 'Done.' });
      await agent.call('resolveComment', { ...name, commentId: comment.id });
      expect(await textOf(name, pageIds[0])).toContain('Workers receive');
      const { items } = await reader.call('listComments', { ...name, status: 'resolved' });
      expect(items).toMatchObject([{ id: comment.id, replies: 1 }]);
    },
  },
  {
    name: 'Ask a member for a review',
    async solve(agent, { spaceId, pageIds }) {
      const name = await arranged(spaceId, [
        { page: pageIds[0], edits: [{ find: 'recieve', replaceWith: 'receive' }] },
      ]);
      const { items } = await agent.call('listMembers', { organizationId });
      const users = items.map(({ id }: { id: string }) => id).filter((id: string) => id === reviewer.userId);
      const { users: asked } = await agent.call('requestReview', { ...name, users });
      expect(asked).toMatchObject([{ user: { id: reviewer.userId } }]);
    },
  },
  {
    name: 'Bring a change request up to date',
    async solve(agent, { spaceId, pageIds }) {
      const name = await arranged(spaceId, [
        { page: pageIds[0], edits: [{ find: 'recieve', replaceWith: 'receive' }] },
      ]);
      await inSpace(spaceId, [{ operation: 'update_page', page: pageIds[1], title: 'Lines' }]);
      expect((await agent.call('updateFromMain', name)).result).toBe('update');
    },
  },
  {
    name: 'Resolve a conflict',
    async solve(agent, { spaceId, pageIds }) {
      const edit = (replaceWith: string) => ({ page: pageIds[3], edits: [{ find: 'monthly', replaceWith }] });
      const name = await arranged(spaceId, [edit('weekly')]);
      await inSpace(spaceId, [{ operation: 'edit_page_text', ...edit('yearly') }]);
      const { conflicts } = await agent.call('updateFromMain', name);
      const resolutions = conflicts.map(({ id }: { id: string }) => ({ conflictId: id, choice: 'ours' }));
      expect((await agent.call('resolveConflicts', { ...name, resolutions })).result).toBe('update');
      expect(await textOf(name, pageIds[3])).toContain('weekly');
    },
  },
  {
    name: 'Say whether a change request can be merged',
    async solve(agent, { spaceId, pageIds }) {
      const name = await arranged(spaceId, [
        { page: pageIds[0], edits: [{ find: 'recieve', replaceWith: 'receive' }] },
      ]);
      expect((await agent.call('getMergeability', name)).mergeable).toBe(true);
    },
  },
];

test('the handbook has the twenty tasks', () => {
  expect([...table.keys()]).toEqual(TASKS.map(({ name }) => name));
  expect(TASKS).toHaveLength(20);
});

test('each task takes the calls of the handbook, and at most its bytes', async () => {
  const faults: string[] = [];
  const rows: string[] = [];
  for (const { name, solve, pages } of TASKS) {
    const agent = new McpAgent(admin);
    const made = await space();
    await solve(agent, made);
    const whole =
      pages &&
      (await wholePages(
        made.spaceId,
        pages.map((index) => made.pageIds[index] ?? ''),
      ));
    const bounds = table.get(name);
    const shown = (value: number) => value.toLocaleString('en-US');
    rows.push(`| ${name} | ${agent.calls} | ${shown(agent.bytes)} | ${whole === undefined ? '' : shown(whole)} |`);
    const isWithin =
      bounds?.calls === agent.calls &&
      agent.bytes <= bounds.bytes &&
      (whole === undefined ? bounds.whole === undefined : whole >= (bounds.whole ?? Number.POSITIVE_INFINITY));
    if (!isWithin) faults.push(name);
  }
  expect(`${faults}`, rows.join('\n')).toBe('');
});
