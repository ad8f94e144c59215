import { afterAll } from 'vitest';
import type { Client } from '../../client.ts';
import { startGitServer } from '../../git-server.ts';
import { withoutTitle } from '../../without-title.ts';
import { appAt } from '../../world.ts';

/** A Git server for the tests of a file, stopped after them. */
export async function gitServer() {
  const server = await startGitServer();
  afterAll(() => server.close());
  return server;
}

export async function newSpace(client: Client, organizationId: string, title = 'Docs'): Promise<string> {
  const { body } = await client.post(`/v1/orgs/${organizationId}/spaces`, { title, empty: true });
  return body.id;
}

/** Runs the pending Git operations of a space until there are none, as a worker does. */
export async function settleGit(client: Client, spaceId: string) {
  const { services } = appAt(client.url);
  const { jobContext } = await import('../../../src/platform/jobs/job.ts');
  const { runGit } = await import('../../../src/domain/sources/git/runs/run-git.ts');
  for (;;) {
    const next = await services.db
      .selectFrom('git_run')
      .where('spaceId', '=', spaceId)
      .where('status', 'in', ['pending', 'in-progress'])
      .orderBy('operationAt')
      .select('id')
      .executeTakeFirst();
    if (!next) break;
    const run = { signal: new AbortController().signal, retries: 0 };
    await runGit.run(jobContext(services, 'test'), { gitRunId: next.id }, run);
  }
  const { body } = await client.get(`/v1/spaces/${spaceId}/git/runs`);
  return (await client.get(`/v1/spaces/${spaceId}/git/runs/${body.items[0].id}`)).body;
}

/** Starts an import or export over REST and answers the run that it became. */
export async function sync(client: Client, spaceId: string, direction: 'import' | 'export', body: object) {
  const message = direction === 'export' ? { commitMessage: 'Update the docs' } : {};
  const answer = await client.post(`/v1/spaces/${spaceId}/git/${direction}`, {
    ref: 'refs/heads/main',
    ...message,
    ...body,
  });
  if (answer.status !== 204) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return settleGit(client, spaceId);
}

/** The pages of a space as titles with their paths, and ids. */
export async function pagesIn(client: Client, spaceId: string): Promise<{ id: string; title: string; path: string }[]> {
  const { body } = await client.get(`/v1/spaces/${spaceId}/content/pages`);
  const all = (
    pages: { id: string; title: string; path: string; pages?: [] }[],
  ): { id: string; title: string; path: string }[] =>
    pages.flatMap(({ pages: below = [], ...page }) => [page, ...all(below)]);
  return all(body.pages).map(({ id, title, path }) => ({ id, title, path }));
}

/** Edits the content of a space. */
export async function edit(client: Client, spaceId: string, changes: unknown[]): Promise<string[]> {
  const { pageIds } = await client.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  return pageIds;
}

/** The id of the page at a path. */
export async function pageAt(client: Client, spaceId: string, path: string): Promise<string> {
  const page = (await pagesIn(client, spaceId)).find((each) => each.path === path);
  if (!page) throw new Error(`There is no page at ${path}.`);
  return page.id;
}

/** The Markdown of a page. */
export async function markdownAt(client: Client, spaceId: string, path: string): Promise<string> {
  const { body } = await client.get(`/v1/spaces/${spaceId}/content/path/${encodeURIComponent(path)}?format=markdown`);
  return withoutTitle(body.markdown);
}
