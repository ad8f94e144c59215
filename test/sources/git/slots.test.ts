import { expect, test } from 'vitest';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { world } from '../../world.ts';
import { gitServer, newSpace } from './arrange.ts';
import { connect, start, synchronize } from './connect.ts';

const { admin, organizationId, otherOrganizationId, app } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();
const { heavyWork } = app.services;

const jobs = () => jobContext(app.services, 'test');

/** Takes all slots for Git runs, as two organizations with slow servers do. */
const occupyRuns = () =>
  Promise.all(
    [otherOrganizationId, 'org_third'].map((owner) =>
      heavyWork.begin('sync-git', { ctx: jobs(), organizationId: owner }),
    ),
  );

test('imports, and looking for new commits, do not wait for Git runs whose servers are slow', async () => {
  const repository = await server.repository('docs');
  await repository.commit({ 'README.md': '# Home\n' });
  const spaceId = await newSpace(admin, organizationId);
  await connect(admin, spaceId, { url: repository.url });
  await start(admin, spaceId);
  const slots = await occupyRuns();
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  (await heavyWork.begin('import', { ctx: jobs(), organizationId }))[Symbol.dispose]();
  for (const slot of slots) slot[Symbol.dispose]();
});

test('downloads of imports do not wait for Git servers that take long to list their branches', async () => {
  using slots = new DisposableStack();
  const leaving = new AbortController();
  const of = { ctx: jobs(), signal: leaving.signal };
  const listings = [otherOrganizationId, 'org_third'].flatMap((owner) =>
    Array.from({ length: 4 }, () => heavyWork.begin('list-git', { ...of, organizationId: owner })),
  );
  const ended = Promise.allSettled(listings.map(async (listing) => slots.use(await listing)));
  slots.use(await heavyWork.begin('fetch-source', { ...of, organizationId, signal: AbortSignal.timeout(5_000) }));
  leaving.abort();
  await ended;
});
