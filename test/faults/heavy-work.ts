import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { startService } from '../bench/processes.ts';
import { zipOf } from '../content/import-engine/arrange.ts';
import { memoryOf } from './memory-of.ts';

/*
 * Heavy work of one organization, and what it costs another one and the machine: a flood of texts that take long to be read,
 * twelve imports at once, and drawings that refer to the host. Memory is that of the service with all its helpers.
 *
 *   node test/faults/heavy-work.ts
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const MEGABYTE = 1024 * 1024;

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever came
  body: any;
}

const directory = await mkdtemp(join(tmpdir(), 'stemma-heavy-'));
const dataDir = await openDataDir(join(directory, 'database'));
const database = await startEmbeddedPostgres({ dataDir, log: () => {} });
const service = await startService({
  databaseUrl: database.url,
  dataDir: join(directory, 'service'),
  environment: { BOOTSTRAP_TOKEN: TOKEN, LOG_LEVEL: 'fatal', UPLOAD_QUOTA_MB: '4000' },
});

async function send(path: string, body?: unknown): Promise<Answer> {
  const init = { method: 'POST', body: body instanceof Uint8Array ? body : JSON.stringify(body) };
  const response = await fetch(path.startsWith('http') ? path : `${service.url}${path}`, {
    ...(body !== undefined && (init as RequestInit)),
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

async function newOrganization(title: string): Promise<string> {
  const query = `mutation { createOrganization(input: { title: "${title}" }) { organization { id } } }`;
  const { body } = await send('/graphql', { query });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data.createOrganization.organization.id;
}

const newSpace = async (organizationId: string): Promise<string> =>
  (await send(`/v1/orgs/${organizationId}/spaces`, { title: 'Space' })).body.id;

const insert = (spaceId: string, markdown: string) =>
  send(`/v1/spaces/${spaceId}/content`, {
    changes: [{ operation: 'insert_page', title: 'Page', document: { markdown } }],
    compat: false,
  });

/** The longest delay and the most memory while something is done. */
async function watching<Result>(
  act: () => Promise<Result>,
): Promise<{ result: Result; megabytes: number; delayMs: number }> {
  await service.usage();
  let [most, isOver] = [0, false];
  const watch = (async () => {
    for (; !isOver; await sleep(100)) most = Math.max(most, memoryOf('main.mjs'));
  })();
  const result = await act().finally(() => {
    isOver = true;
  });
  await watch;
  const { longestDelayMs } = await service.usage();
  return { result, megabytes: Math.round(most / MEGABYTE), delayMs: Math.round(longestDelayMs) };
}

const countOf = (values: readonly (string | number)[]) =>
  Object.entries(Object.groupBy(values, String))
    .map(([value, all]) => `${all?.length} × ${value}`)
    .join(', ');

async function flood(): Promise<void> {
  const [attacker, victim] = [
    await newSpace(await newOrganization('Attacker')),
    await newSpace(await newOrganization('Other')),
  ];
  const slow = `a${' '.repeat(60_000)}b`;
  const large = 'Words of **some** kind and `code`.\n\n'.repeat(400);
  await insert(victim, large);
  const { result, megabytes, delayMs } = await watching(async () => {
    const hostile = Promise.all(Array.from({ length: 300 }, () => insert(attacker, slow)));
    const [statuses, times]: [number[], number[]] = [[], []];
    for (let count = 0; count < 12; count++) {
      const began = performance.now();
      statuses.push((await insert(victim, large)).status);
      times.push(Math.round(performance.now() - began));
      await sleep(200);
    }
    const settled = await Promise.race([hostile, sleep(60_000).then(() => [])]);
    return { statuses, times: times.toSorted((a, b) => a - b), hostile: settled.map(({ status }) => status) };
  });
  const { statuses, times, hostile } = result;
  console.log(
    `flood of 300 bad texts: saves of another organization ${countOf(statuses)}, median ${times[6]} ms, longest ${times.at(-1)} ms;`,
    `the flood ${countOf(hostile) || 'not ended after 60 s'}; ${megabytes} MB, longest delay ${delayMs} ms`,
  );
}

async function imports(): Promise<void> {
  const organizationId = await newOrganization('Importer');
  const page = 'A paragraph with **bold** words, `code` and [a link](https://example.com/).\n\n'.repeat(80);
  const files = Array.from({ length: 1_500 }, (_, index) => [
    `folder-${index % 40}/page-${index}.md`,
    `# ${index}\n\n${page}`,
  ]);
  const zip = await zipOf(Object.fromEntries(files));
  const { body: upload } = await send(`/v1/orgs/${organizationId}/uploads?name=a.zip`, new Uint8Array(zip));
  const spaces = await Promise.all(Array.from({ length: 12 }, () => newSpace(organizationId)));
  const began = performance.now();
  const { result, megabytes, delayMs } = await watching(() =>
    Promise.all(spaces.map((id) => send(`/v1/spaces/${id}/content/import`, { url: upload.url, source: 'zip' }))),
  );
  console.log(
    `12 imports of 1,500 pages at once: ${countOf(result.map(({ status }) => status))} in ${Math.round((performance.now() - began) / 1000)} s;`,
    `${megabytes} MB, longest delay ${delayMs} ms`,
  );
}

async function drawings(): Promise<void> {
  const organizationId = await newOrganization('Drawings');
  for (const reference of ['/dev/zero', join(import.meta.dirname, 'no-such.png')]) {
    const spaceId = await newSpace(organizationId);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${reference}" width="9" height="9"/></svg>`;
    const files = [{ name: 'x.svg', base64: Buffer.from(svg).toString('base64'), ref: 'f' }];
    const { body } = await send(`/v1/spaces/${spaceId}/content`, {
      changes: [{ operation: 'insert_files', files }],
      compat: false,
    });
    await insert(spaceId, `![](file:${body.insertedFiles[0].id})`);
    const { body: link } = await send(`/v1/spaces/${spaceId}/pdf`);
    const began = performance.now();
    const address = new URL(link.url);
    const { result, megabytes } = await watching(() => send(`${service.url}${address.pathname}${address.search}`));
    console.log(
      `a drawing that shows ${reference}: ${result.status} in ${Math.round(performance.now() - began)} ms; ${megabytes} MB`,
    );
  }
}

try {
  await flood();
  await imports();
  await drawings();
} finally {
  await service.stop();
  await database.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}
