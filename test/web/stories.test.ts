import { expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { signIn, stage, stories } from './chromium.ts';

const { visit, visitAs, address, reader, admin, reviewer, commenter, organizationId } = await stage();
await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide' });

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
  });

  test('a reader searches while typing, and opens the first result with the keyboard', async () => {
    const { spaceId, path } = await makeSpace('Found', 2);
    const { page, faults } = await visitAs(reader.token, `/spaces/${spaceId}`);
    const search = page.getByRole('combobox');
    await search.pressSequentially('tea');
    await page.getByRole('option', { name: /Tea/ }).first().waitFor();
    await search.press('ArrowDown');
    expect(await page.getByRole('option', { selected: true }).count()).toBe(1);
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
    const { space } = await reviewer.graphql(
      'query($id: ID!, $page: ID!) { space(id: $id) { changeRequest(number: 1) { page(pageId: $page) { ... on DocumentPage { markdown } } } } }',
      { id: spaceId, page: pageId },
    );
    expect(space.changeRequest.page.markdown).toBe('Water boils at once.\n');
  });

  test('the last words of an author are saved who goes on to the change request at once', async () => {
    const { spaceId, pageId, path } = await makeSpace('Left', 1);
    const { page } = await visitAs(reviewer.token, path);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Markdown of the page').fill('Water boils.');
    await page.getByRole('link', { name: /^#1 / }).click();
    await page.getByRole('link', { name: 'Edit a page' }).waitFor();
    const markdown = async () => {
      const { space } = await reviewer.graphql(
        'query($id: ID!, $page: ID!) { space(id: $id) { changeRequest(number: 1) { page(pageId: $page) { ... on DocumentPage { markdown } } } } }',
        { id: spaceId, page: pageId },
      );
      return space.changeRequest.page.markdown;
    };
    await expect.poll(markdown).toBe('Water boils.\n');
    await page.getByText('only on this device').waitFor({ state: 'detached' });
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
