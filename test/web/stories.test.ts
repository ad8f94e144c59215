import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { signIn, stage, stories } from './chromium.ts';

const { app, visit, visitAs, address, reader, admin, reviewer, commenter, organizationId } = await stage();
await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide' });

/** The part of `HTMLTextAreaElement` that is used here: tests are checked without the types of browsers. */
interface TextArea {
  value: string;
  focus(): void;
  setSelectionRange(start: number, end: number): void;
}

const OPENING = 'Tea is made with hot water.';
const CUPS = 'Take one spoon for each cup.';
const bodyOf = (...paragraphs: string[]) => ({ document: { markdown: paragraphs.join('\n\n') } });

/** A space with pages that are so deep in the tree, the last one about tea. */
async function makeSpace(title: string, depth: number): Promise<{ spaceId: string; pageId: string; path: string }> {
  const { space } = await admin.mutate('createSpace', { organizationId, title }, 'space { id }');
  const changes = Array.from({ length: depth }, (_, level) => ({
    insertPage: {
      kind: 'DOCUMENT',
      ref: `level-${level}`,
      title: level === depth - 1 ? 'Tea' : `Level ${level}`,
      ...(level > 0 && { parentId: `level-${level - 1}` }),
      ...bodyOf(OPENING, CUPS),
    },
  }));
  const { pageIds } = await admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
  const pageId = pageIds.at(-1);
  return { spaceId: space.id, pageId, path: `/spaces/${space.id}/pages/${pageId}` };
}

const writeOnSpace = (client: Client, spaceId: string, pageId: string, ...paragraphs: string[]) =>
  client.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ updatePage: { pageId, ...bodyOf(...paragraphs) } }] },
    'pageIds',
  );

/** A change request of the reviewer that rewrites the page. */
async function makeChangeRequest(spaceId: string, pageId: string, ...paragraphs: string[]): Promise<string> {
  const { changeRequest } = await reviewer.mutate(
    'createChangeRequest',
    { spaceId, subject: 'Boil it' },
    'changeRequest { id number }',
  );
  await reviewer.mutate(
    'updateChangeRequestContent',
    { changeRequestId: changeRequest.id, changes: [{ updatePage: { pageId, ...bodyOf(...paragraphs) } }] },
    'pageIds',
  );
  return `/spaces/${spaceId}/change-requests/${changeRequest.number}`;
}

/** Changes the content of the first change request of the space, whatever others have on their screens. */
const changeInRequest = (client: Client, spaceId: string, ...changes: object[]) =>
  client.mutate('updateChangeRequestContent', { spaceId, changeRequestId: '1', changes }, 'pageIds');

const writeInRequest = (client: Client, spaceId: string, pageId: string, ...paragraphs: string[]) =>
  changeInRequest(client, spaceId, { updatePage: { pageId, ...bodyOf(...paragraphs) } });

/** The Markdown of the page in the first change request of the space. */
async function markdownInRequest(spaceId: string, pageId: string): Promise<string | undefined> {
  const { space } = await reviewer.graphql(
    'query($id: ID!, $page: ID!) { space(id: $id) { changeRequest(number: 1) { page(pageId: $page) { ... on DocumentPage { markdown } } } } }',
    { id: spaceId, page: pageId },
  );
  return space.changeRequest.page?.markdown;
}

stories('in Chromium', () => {
  test('a member signs in with an access token, and finds the spaces of the organization', async () => {
    const { page, faults } = await visit('');
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await signIn(page, reader.token);
    await page.getByRole('link', { name: 'Acme' }).click();
    await page.getByRole('link', { name: 'Guide' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/orgs/${organizationId}`);
    expect(faults).toEqual([]);
  });

  test('a token that is not valid is refused, and a valid one leads on to where the sign-in was needed', async () => {
    const { page } = await visit(`/orgs/${organizationId}`);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByLabel('Access token').fill('stemma_x');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This is not an access token of an account').waitFor();
    await page.getByLabel('Access token').fill(reader.token ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Guide' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/orgs/${organizationId}`);
  });

  test('a reader opens a page twelve levels deep with the keyboard', async () => {
    const { spaceId, path } = await makeSpace('Deep', 12);
    const { page, faults } = await visitAs(reader.token, `/spaces/${spaceId}`);
    const tree = page.getByRole('tree');
    await page.getByRole('heading', { name: 'Deep', level: 1 }).waitFor();
    await page.getByRole('treeitem', { name: 'Level 10' }).waitFor();
    await tree.focus();
    await tree.press('End');
    const active = page.locator(`[id="${await tree.getAttribute('aria-activedescendant')}"]`);
    expect(await active.getAttribute('aria-level')).toBe('12');
    await tree.press('Enter');
    await page.getByRole('heading', { name: 'Tea', level: 1 }).waitFor();
    await page.getByText(OPENING).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app${path}`);
    await page.getByRole('link', { name: /^Previous/ }).click();
    await page.getByRole('heading', { name: 'Level 10', level: 1 }).waitFor();
    expect(faults).toEqual([]);
  });

  test('a link to a page far down shows it among the pages of a large space', async () => {
    const { space } = await admin.mutate('createSpace', { organizationId, title: 'Large' }, 'space { id }');
    const spaceId = space.id;
    let pageId = '';
    for (let last = 50; last <= 1_100; last += 50) {
      const changes = Array.from({ length: 50 }, (_, index) => ({
        insertPage: {
          title: `Page ${last - 49 + index}`,
          ...(index === 0 ? { ref: 'section' } : { parentId: 'section' }),
        },
      }));
      const { pageIds } = await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
      pageId = pageIds.at(-1);
    }
    const { page, faults } = await visitAs(reader.token, `/spaces/${spaceId}/pages/${pageId}`);
    await page.getByRole('heading', { name: 'Page 1100', level: 1 }).waitFor();
    const row = page.getByRole('treeitem', { name: 'Page 1100' });
    await row.waitFor();
    expect(await row.getAttribute('aria-selected')).toBe('true');
    await expect.poll(() => row.boundingBox()).toMatchObject({ y: expect.toSatisfy((y: number) => y > 0 && y < 900) });
    // The rows near those that are shown, and no others.
    expect(await page.getByRole('treeitem').count()).toBeLessThan(100);
    expect(faults).toEqual([]);

    // Refused, the next pages are not asked for again at once.
    let refusals = 0;
    await page.route('**/graphql', (route) => {
      if (route.request().postDataJSON()?.variables?.cursor === undefined) return route.continue();
      refusals += 1;
      return route.abort();
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Page 1100', level: 1 }).waitFor();
    await expect.poll(() => refusals).toBe(1);
    await page.waitForTimeout(500);
    expect(refusals).toBe(1);
  });

  test('a reader searches while typing, and opens the first result with the keyboard', async () => {
    const { spaceId, path } = await makeSpace('Found', 2);
    const { page, faults } = await visitAs(reader.token, `/spaces/${spaceId}`);
    const search = page.getByRole('combobox');
    await search.pressSequentially('tea');
    await page.getByRole('option', { name: /Tea/ }).first().waitFor();
    // The key has no effect while the results are those of an earlier query.
    const select = async () => {
      await search.press('ArrowDown');
      return page.getByRole('option', { selected: true }).count();
    };
    await expect.poll(select).toBe(1);
    await search.press('Enter');
    await page.waitForURL((url) => url.pathname === `/app${path}`);
    expect(faults).toEqual([]);
  });

  test('a commenter comments on a page, replies and resolves the comment', async () => {
    const { spaceId, path } = await makeSpace('Discussed', 1);
    const { page, faults } = await visitAs(commenter.token, path);
    await page.getByLabel('Add a comment').fill('With **milk**?');
    await page.getByRole('button', { name: 'Post' }).click();
    const comment = page.getByRole('article', { name: /^Comment/ });
    await comment.getByText('milk').waitFor();
    await comment.getByRole('button', { name: 'Reply' }).click();
    await comment.getByLabel('Reply').fill('Never.');
    await comment.getByRole('button', { name: 'Post' }).click();
    await comment.getByText('Never.').waitFor();
    await comment.getByRole('button', { name: 'Resolve' }).click();
    await comment.getByRole('button', { name: 'Reopen' }).waitFor();
    // The page shows the new status before the service has it.
    const written = async () => {
      const { space } = await reader.graphql(
        'query($id: ID!) { space(id: $id) { comments { nodes { status body { markdown } replies { nodes { body { markdown } } } } } } }',
        { id: spaceId },
      );
      return space.comments.nodes;
    };
    await expect.poll(written).toEqual([
      {
        status: 'RESOLVED',
        body: { markdown: 'With **milk**?' },
        replies: { nodes: [{ body: { markdown: 'Never.' } }] },
      },
    ]);
    expect(faults).toEqual([]);
  });

  test('what an author writes while the connection is lost is kept, and saved when it is back', async () => {
    const { spaceId, pageId, path } = await makeSpace('Edited', 1);
    const { page } = await visitAs(reviewer.token, path);
    await page.getByRole('button', { name: 'Edit' }).click();
    const source = page.getByLabel('Markdown of the page');
    await source.fill('Water boils.');
    await page.getByRole('status').getByText('Saved').waitFor();
    await page.locator('.document').getByText('Water boils.').waitFor();

    await page.context().setOffline(true);
    await source.fill('Water boils at once.');
    await page.getByText('No connection').waitFor();
    await page.context().setOffline(false);
    await page.locator('.document').getByText('Water boils at once.').waitFor();
    await page.getByRole('status').getByText('Saved').waitFor();
    expect(await markdownInRequest(spaceId, pageId)).toBe('Water boils at once.\n');
  });

  test('the last words of an author are saved who goes on to the change request at once', async () => {
    const { spaceId, pageId, path } = await makeSpace('Left', 1);
    const { page } = await visitAs(reviewer.token, path);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Markdown of the page').fill('Water boils.');
    await page.getByRole('link', { name: /^#1 / }).click();
    await page.getByRole('link', { name: 'Edit a page' }).waitFor();
    await expect.poll(() => markdownInRequest(spaceId, pageId)).toBe('Water boils.\n');
    await page.getByText('only on this device').waitFor({ state: 'detached' });
  });

  test('an author who saves without a change takes over the edits of others, and does not undo them later', async () => {
    const { spaceId, pageId } = await makeSpace('Shared', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    const { page, faults } = await visitAs(reviewer.token, `${path}/pages/${pageId}`);
    const source = page.getByLabel('Markdown of the page');
    await source.waitFor();
    await writeInRequest(admin, spaceId, pageId, 'Tea is made with boiling water.', 'Take two spoons.');
    await source.press('Control+s');
    const shown = 'Tea is made with boiling water.\n\nTake two spoons.\n';
    await expect.poll(() => source.inputValue()).toBe(shown);
    await source.fill(shown.replace('boiling', 'fresh'));
    await expect.poll(() => markdownInRequest(spaceId, pageId)).toBe(shown.replace('boiling', 'fresh'));
    expect(faults).toEqual([]);
  });

  test('the caret of an author stays in its words when the text gets the edits of others', async () => {
    const { spaceId, pageId } = await makeSpace('Beside', 1);
    const path = await makeChangeRequest(spaceId, pageId, OPENING, CUPS, 'Wait.');
    const { page, faults } = await visitAs(reviewer.token, `${path}/pages/${pageId}`);
    const source = page.getByLabel('Markdown of the page');
    await source.waitFor();
    await writeInRequest(admin, spaceId, pageId, 'Tea is made with boiling water.', CUPS, 'Wait.');
    await source.evaluate((element) => {
      const area = element as unknown as TextArea; // of the label
      area.focus();
      area.setSelectionRange(area.value.indexOf(' for each cup'), area.value.indexOf(' for each cup'));
    });
    await page.keyboard.type(' of leaves');
    await expect.poll(() => source.inputValue()).toContain('boiling');
    await page.keyboard.type(' and one');
    const written = `Tea is made with boiling water.\n\nTake one spoon of leaves and one for each cup.\n\nWait.\n`;
    await expect.poll(() => markdownInRequest(spaceId, pageId)).toBe(written);
    expect(await source.inputValue()).toBe(written);
    expect(faults).toEqual([]);
  });

  test('a document is shown while what its references point at cannot be read', async () => {
    const { spaceId, pageId, path } = await makeSpace('Referring', 2);
    await writeOnSpace(
      admin,
      spaceId,
      pageId,
      'See [the first](../level-0.md), and [mail](mailto:a@example.com).',
      OPENING,
    );
    const { page } = await visitAs(reader.token, '');
    await page.route('**/graphql', (route) =>
      route.request().postDataJSON()?.variables?.ids === undefined ? route.continue() : route.abort(),
    );
    const isRefused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/graphql'));
    await page.goto(`${address}/app${path}`);
    await isRefused;
    await page.getByText(OPENING).waitFor();
    expect(await page.getByText('No connection').count()).toBe(0);
  });

  test('an error inside of a result is shown as what it is', async () => {
    const { spaceId, pageId } = await makeSpace('Faulty', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    const { page } = await visitAs(reviewer.token, '');
    const error = {
      message: 'This is too much at once.',
      path: ['space', 'changeRequest', 'changes'],
      extensions: { code: 'QUERY_TOO_COMPLEX' },
    };
    const permissions = { edit: true, comment: true };
    const space = { __typename: 'Space', id: spaceId, permissions, changeRequest: null };
    await page.route('**/graphql', (route) =>
      route.request().postDataJSON()?.variables?.number === undefined
        ? route.continue()
        : route.fulfill({ json: { data: { space }, errors: [error] } }),
    );
    await page.goto(`${address}/app${path}`);
    await page.getByText('This is too much at once.').waitFor();
    await page.getByText('QUERY_TOO_COMPLEX').waitFor();
  });

  test('two tabs with one page, both without a connection, save the text of each', async () => {
    const { spaceId, pageId } = await makeSpace('Twice', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    const { page } = await visitAs(reviewer.token, `${path}/pages/${pageId}`);
    const other = await page.context().newPage();
    await other.goto(page.url());
    const sources = [page, other].map((tab) => tab.getByLabel('Markdown of the page'));
    for (const source of sources) await source.waitFor();
    await page.context().setOffline(true);
    await sources[0]?.fill(`Tea is made with fresh water.\n\n${CUPS}\n`);
    await page.getByText('No connection').waitFor();
    await sources[1]?.fill('Tea is made with boiling water.\n\nTake two spoons.\n');
    await other.getByText('No connection').waitFor();
    await page.context().setOffline(false);
    for (const tab of [page, other]) await tab.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect(await markdownInRequest(spaceId, pageId)).toBe('Tea is made with fresh water.\n\nTake two spoons.\n');
  });

  test('what one person has not sent is not sent as the next one’s who signs in at the browser', async () => {
    const { spaceId, pageId } = await makeSpace('Relieved', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    const { page } = await visitAs(reviewer.token, `${path}/pages/${pageId}`);
    const context = page.context();
    const source = (tab: Page) => tab.getByLabel('Markdown of the page');
    await source(page).waitFor();
    await context.setOffline(true);
    await source(page).fill('Words of the reviewer.');
    await page.getByText('No connection').waitFor();
    await page.close();
    await context.setOffline(false);

    const next = await context.newPage();
    const openAs = async (client: Client) => {
      await next.goto(`${address}/app/sign-in`);
      await signIn(next, client.token);
      await next.goto(`${address}/app${path}/pages/${pageId}`);
      await source(next).waitFor();
    };
    await openAs(admin);
    expect(await source(next).inputValue()).toContain('boiling');
    await openAs(reviewer);
    await expect.poll(() => source(next).inputValue()).toContain('Words of the reviewer.');
    await expect.poll(() => markdownInRequest(spaceId, pageId)).toBe('Words of the reviewer.\n');
  });

  test('a tab whose session has ended is loaded again before it goes on as the person who has signed in meanwhile', async () => {
    const { spaceId, pageId } = await makeSpace('Succeeded', 1);
    const path = await makeChangeRequest(spaceId, pageId, OPENING, CUPS);
    const { page } = await visitAs(reviewer.token, path);
    await page.getByLabel('Add a comment').fill('Words of the reviewer.');
    await page.evaluate("window.isLoaded = 'before'");
    await app.services.db.deleteFrom('session').where('userId', '=', reviewer.userId).execute();
    const other = await page.context().newPage();
    await other.goto(`${address}/app/sign-in`);
    await signIn(other, commenter.token);
    const comeBack = () =>
      page.evaluate("window.dispatchEvent(new Event('focus')), window.isLoaded").catch(() => 'loading');
    await expect.poll(comeBack).toBeUndefined();
    await page.getByLabel('Add a comment').waitFor();
    expect(await page.getByLabel('Add a comment').inputValue()).toBe('');
  });

  test('an author whose page was deleted by others still sees the text, also after a reload, until it is discarded', async () => {
    const { spaceId, pageId } = await makeSpace('Lost', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    const { page } = await visitAs(reviewer.token, `${path}/pages/${pageId}`);
    const source = page.getByLabel('Markdown of the page');
    await source.waitFor();
    await changeInRequest(admin, spaceId, { deletePage: { pageId } });
    await source.fill('A long text.');
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      await page.getByRole('heading', { name: 'This page was deleted', level: 1 }).waitFor();
      expect(await page.getByLabel('Your text').inputValue()).toBe('A long text.');
    }
    await page.getByRole('button', { name: 'Discard my text' }).click();
    await page.getByRole('link', { name: 'Edit a page' }).waitFor();
    expect(await page.getByText('only on this device').count()).toBe(0);
  });

  test('the text of an author for a conflict stays while they look at a version, and when a version changes', async () => {
    const { spaceId, pageId } = await makeSpace('Weighed', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    await writeOnSpace(admin, spaceId, pageId, 'Tea is made with fresh water.', CUPS);
    const { page, faults } = await visitAs(reviewer.token, `${path}/conflicts`);
    const own = page.getByRole('radio', { name: /^A text of your own/ });
    const text = page.getByLabel('Text for Tea');
    await own.check();
    await text.fill('Tea is made with fresh, boiling water.');
    await page.getByRole('radio', { name: /^The space/ }).check();
    await own.check();
    expect(await text.inputValue()).toBe('Tea is made with fresh, boiling water.');

    await writeOnSpace(admin, spaceId, pageId, 'Tea is made with cold water.', CUPS);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByText('Tea is made with cold water.').waitFor();
    expect(await text.inputValue()).toBe('Tea is made with fresh, boiling water.');
    // The choice was between other versions.
    expect(await own.isChecked()).toBe(false);
    await own.check();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('This change request can be merged.').waitFor();
    expect(await markdownInRequest(spaceId, pageId)).toContain('fresh, boiling');
    expect(faults).toEqual([]);
  });

  test('an author resolves a conflict side by side with a text of their own', async () => {
    const { spaceId, pageId } = await makeSpace('Contradicted', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    await writeOnSpace(admin, spaceId, pageId, 'Tea is made with fresh water.', CUPS);
    const { page, faults } = await visitAs(reviewer.token, path);
    await page.getByRole('link', { name: 'Resolve it' }).click();
    await page.getByText('Tea is made with boiling water.').waitFor();
    await page.getByText('Tea is made with fresh water.').waitFor();
    await page.getByLabel('A text of your own').check();
    await page.getByLabel('Text for Tea').fill('Tea is made with fresh, boiling water.');
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('This change request can be merged.').waitFor();
    expect(faults).toEqual([]);
  });

  test('an author resolves more conflicts than are loaded at once', async () => {
    const { space } = await admin.mutate('createSpace', { organizationId, title: 'Rewritten' }, 'space { id }');
    const spaceId: string = space.id;
    const numbers = Array.from({ length: 102 }, (_, index) => index);
    const pageIds: string[] = [];
    // A call takes up to fifty changes.
    const parts = [numbers.slice(0, 50), numbers.slice(50, 100), numbers.slice(100)];
    for (const part of parts) {
      const changes = part.map((number) => ({ insertPage: { title: `Page ${number}` } }));
      pageIds.push(...(await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds')).pageIds);
    }
    await reviewer.mutate('createChangeRequest', { spaceId, subject: 'Rename' }, 'changeRequest { id }');
    for (const part of parts) {
      const renamed = (word: string) =>
        part.map((number) => ({ updatePage: { pageId: pageIds[number], title: `${word} ${number}` } }));
      await changeInRequest(reviewer, spaceId, ...renamed('Chapter'));
      await admin.mutate('updateSpaceContent', { spaceId, changes: renamed('Part') }, 'pageIds');
    }

    const { page, faults } = await visitAs(reviewer.token, `/spaces/${spaceId}/change-requests/1/conflicts`);
    const mine = page.getByRole('radio', { name: /^This change request/ });
    await page.getByText('0 conflicts of 102 decided').waitFor();
    expect(await mine.count()).toBe(100);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => mine.count()).toBe(102);
    for (const number of numbers) await mine.nth(number).check();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('This change request can be merged.').waitFor();
    expect(faults).toEqual([]);
  });

  test('a reviewer sees the marked words of a change request, and merges it', async () => {
    const { spaceId, pageId } = await makeSpace('Merged', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    const { page, faults } = await visitAs(reviewer.token, path);
    expect(await page.locator('del').first().innerText()).toBe('hot');
    expect(await page.locator('ins').first().innerText()).toBe('boiling');
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Merged by').waitFor();
    const { space } = await reader.graphql(
      'query($id: ID!, $page: ID!) { space(id: $id) { page(pageId: $page) { ... on DocumentPage { markdown } } } }',
      { id: spaceId, page: pageId },
    );
    expect(space.page.markdown).toContain('boiling');
    expect(faults).toEqual([]);
  });

  test('what a reviewer has not seen is not merged', async () => {
    const { spaceId, pageId } = await makeSpace('Unseen', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    const { page } = await visitAs(reviewer.token, path);
    await page.route('**/graphql', (route) =>
      route.request().headers().accept === 'text/event-stream' ? route.abort() : route.continue(),
    );
    await page.reload();
    await page.locator('ins').getByText('boiling').waitFor();
    await writeInRequest(admin, spaceId, pageId, 'Tea is made with salted water.', CUPS);
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByRole('alert').getByText('PRECONDITION_FAILED').waitFor();
    await page.locator('ins').getByText('salted').waitFor();
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByText('Merged by').waitFor();
  });

  test('a reply to a late comment stays open while others change the content of the change request', async () => {
    const { spaceId, pageId } = await makeSpace('Debated', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    for (let count = 1; count <= 21; count++) {
      const body = { markdown: `Remark ${count}` };
      await commenter.mutate('postComment', { spaceId, changeRequestId: '1', body }, 'comment { id }');
    }
    const { page, faults } = await visitAs(reviewer.token, path);
    await page.getByRole('button', { name: 'More' }).click();
    const comment = page.getByRole('article').filter({ hasText: 'Remark 21' });
    await comment.getByRole('button', { name: 'Reply' }).click();
    const reply = comment.getByLabel('Reply');
    await reply.fill('Half a sen');
    await writeInRequest(admin, spaceId, pageId, 'Tea is made with salted water.', CUPS);
    await page.locator('ins').getByText('salted').waitFor();
    expect(await reply.inputValue()).toBe('Half a sen');
    expect(await comment.locator('textarea:focus').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  test('a stream whose last event the service does not have begins anew', async () => {
    const { spaceId, pageId } = await makeSpace('Resumed', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    const { page } = await visitAs(reviewer.token, '');
    const event = { kind: 'COMMENT_DELETED', deletedId: 'x', changeRequest: null, comment: null, commentReply: null };
    const data = JSON.stringify({ data: { changeRequestChanged: event } });
    const body = `id: event_${'0'.repeat(26)}\nevent: next\ndata: ${data}\n\n`;
    const lastIds: (string | undefined)[] = [];
    await page.route('**/graphql', async (route) => {
      const { accept, 'last-event-id': lastId } = route.request().headers();
      const isOfRequest = route.request().postDataJSON().variables.id !== undefined;
      if (accept !== 'text/event-stream' || !isOfRequest) return route.continue();
      lastIds.push(lastId);
      return lastIds.length === 1 ? route.fulfill({ contentType: accept, body }) : route.continue();
    });
    await page.goto(`${address}/app${path}`);
    await expect.poll(() => lastIds.slice(2), { timeout: 10_000 }).toContain(undefined);
    expect(lastIds.slice(0, 2)).toEqual([undefined, `event_${'0'.repeat(26)}`]);
    const { space } = await admin.graphql('query($id: ID!) { space(id: $id) { changeRequest(number: 1) { id } } }', {
      id: spaceId,
    });
    const target = { changeRequestId: space.changeRequest.id };
    await admin.mutate('postComment', { ...target, body: { markdown: 'Finely.' } }, 'comment { id }');
    await page.getByText('Finely.').waitFor();
  });

  test('only changed pages that have a text lead to the editor', async () => {
    const { spaceId, pageId } = await makeSpace('Grouped', 1);
    const path = await makeChangeRequest(spaceId, pageId, 'Tea is made with boiling water.', CUPS);
    await changeInRequest(reviewer, spaceId, { insertPage: { kind: 'GROUP', title: 'More' } });
    const { page } = await visitAs(reviewer.token, path);
    await page.getByRole('heading', { name: 'More' }).waitFor();
    expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(1);
  });

  test('a reader sees a page, its title and its comments change as others edit and comment', async () => {
    const { spaceId, pageId, path } = await makeSpace('Watched', 1);
    const { page, faults } = await visitAs(reader.token, path);
    const subscribed = page.waitForResponse(
      (response) => response.headers()['content-type']?.startsWith('text/event-stream') ?? false,
    );
    await page.reload();
    await subscribed;
    await page.getByText(OPENING).waitFor();
    const changes = [{ updatePage: { pageId, title: 'Coffee', ...bodyOf('Coffee is ground.') } }];
    await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
    await page.getByText('Coffee is ground.').waitFor();
    await page.getByRole('treeitem', { name: 'Coffee' }).waitFor();
    await admin.mutate('postComment', { spaceId, pageId, body: { markdown: 'Finely.' } }, 'comment { id }');
    await page.getByText('Finely.').waitFor();
    expect(faults).toEqual([]);
  });

  test('GraphiQL opens with the operations of the handbook as tabs, runs one, and has it after a reload', async () => {
    const { page, faults } = await visitAs(reader.token, '');
    await page.goto(`${address}/graphql`);
    const tab = (name: string) => page.locator('.graphiql-tab-button').getByText(name, { exact: true });
    for (const name of ['Home', 'Sidebar', 'Review', 'Propose', 'Post']) await tab(name).waitFor();
    await tab('Sidebar').click();
    await page.getByRole('button', { name: /^Execute query/ }).click();
    const result = page.locator('.result-window');
    await result.getByText('allPages').waitFor();
    // GraphiQL stores its tabs a moment later.
    const chosen = () => page.evaluate<number>("JSON.parse(localStorage.getItem('graphiql:tabState')).activeTabIndex");
    await expect.poll(chosen, { timeout: 5_000 }).toBe(1);
    await page.reload();
    await tab('Home').waitFor();
    expect(await page.locator('.graphiql-tab-active').textContent()).toContain('Sidebar');
    await page.locator('.graphiql-query-editor').getByText('parentPageId').waitFor();
    expect(faults).toEqual([]);
  });
});
