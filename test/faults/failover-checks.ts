import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Scene, synchronize } from './failover-load.ts';
import { faultsIn } from './merging-space.ts';
import type { Receiver } from './webhook-receiver.ts';

/** After the last failover, jobs wait for their next attempt: up to four minutes, after several failed ones. */
const JOBS_END_WITHIN_MS = 420_000;

/** Compares what was acknowledged with what is there. Faults are added to those of the load. */
export async function checkEffects(scene: Scene, url: string, receiver: Receiver): Promise<void> {
  const { load } = scene;
  // What was never done could not fail.
  for (const [name, count] of Object.entries(load.summary())) if (count === 0) load.faults.push(`No ${name} at all.`);
  await synchronize(scene, 'export', 'last export');
  await synchronize(scene, 'import', 'last import');
  await jobsEnd(scene);
  const merged = await faultsIn(url, scene.spaceId, load.merges);
  for (const [kind, cases] of Object.entries(merged)) for (const each of cases) load.faults.push(`${kind}: ${each}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await checkRows(client, scene);
    await checkRuns(client, scene);
    await checkDeliveries(client, scene, receiver);
  } finally {
    await client.end();
  }
  await checkGit(scene);
}

/** Waits until no job is left. None may have been given up. */
async function jobsEnd({ load, call }: Scene): Promise<void> {
  for (const until = Date.now() + JOBS_END_WITHIN_MS; ; await sleep(500)) {
    const { items } = await call('GET', '/v1/jobs');
    const left = items.filter(({ ready, waiting, active }) => ready + waiting + active > 0);
    const dead = items.filter((queue) => queue.dead > 0);
    if (left.length > 0 && Date.now() < until) continue;
    for (const { name } of left) load.faults.push(`Jobs of ${name} do not end.`);
    for (const queue of dead) load.faults.push(`${queue.dead} jobs of ${queue.name} were given up.`);
    return;
  }
}

async function valuesOf(client: pg.Client, sql: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ value: string }>(sql, [...ids]);
  return rows.map(({ value }) => value);
}

async function checkRows(client: pg.Client, { load, organizationId, spaceId }: Scene): Promise<void> {
  const comments = await valuesOf(client, 'select markdown as value from comment where space_id = $1', [spaceId]);
  for (const text of load.comments) {
    const count = comments.filter((each) => each === text).length;
    if (count !== 1) load.faults.push(`"${text}" is there ${count} times.`);
  }
  const all = 'select id as value from conversation where organization_id = $1';
  const conversations = (await valuesOf(client, all, [organizationId])).length;
  if (conversations !== load.conversations)
    load.faults.push(`${conversations} of ${load.conversations} conversations.`);
  const twice = 'select subject as value from change_request where space_id = $1 group by subject having count(*) > 1';
  for (const subject of await valuesOf(client, twice, [spaceId]))
    load.faults.push(`The change request "${subject}" is there twice.`);
}

/** Each acknowledged request for a run has made one, and each run has ended. */
async function checkRuns(client: pg.Client, scene: Scene): Promise<void> {
  const { load, organizationId, exportedId, importedId } = scene;
  const ofGit = 'select status as value from git_run where space_id = $1';
  const ofWebsites = 'select status as value from import_run where organization_id = $1';
  const expected = Object.values(load.imports).reduce((sum, count) => sum + count, 0);
  const counted: [string, string[], number][] = [
    ['exports to Git', await valuesOf(client, ofGit, [exportedId]), load.exports.length + 1],
    ['imports from Git', await valuesOf(client, ofGit, [importedId]), load.gitImports.length + 1],
    ['imports of a website', await valuesOf(client, ofWebsites, [organizationId]), expected],
  ];
  for (const [name, statuses, count] of counted) {
    if (statuses.length !== count) load.faults.push(`There are ${statuses.length} ${name} in place of ${count}.`);
    const running = statuses.filter((status) => status === 'pending' || status === 'in-progress');
    if (running.length > 0) load.faults.push(`${running.length} ${name} have not ended.`);
  }
}

/** Each comment has one event, and each event one delivery, which has reached the receiver. */
async function checkDeliveries(client: pg.Client, scene: Scene, receiver: Receiver): Promise<void> {
  const { load, organizationId } = scene;
  const deliveries = `select d.id as value from event e join webhook_delivery d on d.event_id = e.id
    where e.organization_id = $1 and e.kind = 'comment_posted' and d.status = 'succeeded'`;
  const delivered = await valuesOf(client, deliveries, [organizationId]);
  if (delivered.length !== load.comments.length)
    load.faults.push(`${delivered.length} deliveries of ${load.comments.length} comments.`);
  for (const id of delivered) if (!receiver.deliveries.has(id)) load.faults.push(`Delivery ${id} has not arrived.`);
}

/** Each page that was exported is in the branch once, and each that was imported is in its space once. */
async function checkGit({ load, call, importedId, gitdir }: Scene): Promise<void> {
  const search = ['--git-dir', gitdir, 'grep', '-h', 'Text of', 'main', '--', '*.md'];
  const branch = execFileSync('git', search, { encoding: 'utf8' });
  for (const title of load.exports) {
    const count = branch.split(`Text of ${title}.`).length - 1;
    if (count !== 1) load.faults.push(`"${title}" is ${count} times in the branch.`);
  }
  const { pages } = await call('GET', `/v1/spaces/${importedId}/content/pages`);
  for (const title of load.gitImports) {
    const count = pages.filter((page) => page.title === title).length;
    if (count !== 1) load.faults.push(`"${title}" is ${count} times in its space.`);
  }
}
