import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { removeOpenApiVersion } from '../src/domain/sources/openapi/processing/remove-openapi-version.ts';
import { programWords } from './command.ts';
import { world } from './world.ts';

const { app, admin, organizationId, databaseUrl } = await world();

let worker: ChildProcess | undefined;

afterEach(() => worker?.kill('SIGKILL'));

/** A process that runs background work, and what it writes. */
function start(environment: Record<string, string>): { process: ChildProcess; output(): string } {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    HOME,
    NODE_COMPILE_CACHE,
    LOG_LEVEL: 'info',
    DATA_DIR: app.services.config.dataDir,
    ...environment,
  };
  const child = spawn(process.execPath, programWords('worker'), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  worker = child;
  return { process: child, output: () => text };
}

test('a separate worker runs jobs of servers without workers, and shuts down cleanly', async () => {
  await admin.mutate('createUpload', { organizationId }, 'upload { id }');
  const uploads = () => app.services.db.selectFrom('upload').select('id').execute();
  await app.services.db.updateTable('upload').set({ expiresAt: '2020-01-01T00:00:00.000Z' }).execute();
  await app.services.jobs.boss.send('remove-expired-uploads', {});
  expect(await uploads()).toHaveLength(1);

  const { process: child, output } = start({ DATABASE_URL: databaseUrl, SECRET_KEY: app.services.secretKeys.current });
  await expect.poll(output).toContain('working');
  await expect.poll(uploads).toEqual([]);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
});

test('a worker reports missing settings', async () => {
  const { process: child, output } = start({});
  expect((await once(child, 'exit'))[0]).toBe(1);
  expect(output()).toMatch(/^A worker needs DATABASE_URL and SECRET_KEY/);
});

const withFaults = () =>
  start({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: app.services.secretKeys.current,
    NODE_OPTIONS: '--import=./test/fixtures/faults-on-demand.ts',
  });

/** A job with an id that causes a fault. */
const sendJob = (openApiSpecVersionId: string) =>
  app.services.jobs.boss.send(removeOpenApiVersion.name, { openApiSpecVersionId });

test('a worker survives a rejection that nothing handles, and logs it with its job', async () => {
  const { process: child, output } = withFaults();
  await expect.poll(output).toContain('working');
  await sendJob('rejected beside');
  await expect.poll(output).toContain('unhandled rejection');
  const line = output()
    .split('\n')
    .find((each) => each.includes('unhandled rejection'));
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 50,
    requestId: expect.stringMatching(/^job-/),
    job: removeOpenApiVersion.name,
    err: { message: 'A rejection that nothing handles.' },
  });
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
});

test('a worker ends with an error after an exception that nothing catches', async () => {
  const { process: child, output } = withFaults();
  await expect.poll(output).toContain('working');
  const ended = once(child, 'exit');
  await sendJob('thrown beside');
  expect(await ended).toEqual([1, null]);
  expect(output()).toContain('uncaught exception');
});
