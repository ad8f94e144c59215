import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import yazl from 'yazl';
import { TOKENS } from './fill/people.ts';
import { makeDraw, remarkOf, titleOf } from './fill/prose.ts';
import type { Load, Measurement, PostgresUsage } from './measure.ts';
import type { ServerProcess } from './processes.ts';
import { call } from './search/sets.ts';
import type { PageTarget, Targets } from './targets.ts';

/**
 * Something that cannot be sent again and again, because each time needs its own preparation. No other server here does
 * anything of the kind, and there is no single statement for it.
 */
export interface Task {
  name: string;
  what: string;
  /** Prepares it, as many times as the database allows or a round needs, and answers what is to be measured. */
  prepare(service: ServerProcess, targets: Targets, round: number): Promise<(() => Promise<void>)[]>;
  /** How many of them at once; undefined: as many as there are connections. */
  atOnce?: number;
}

const IMPORTED_PAGES = 200;
const POLL_MS = 50;

const asAdmin = ({ url }: ServerProcess) => ({ url, token: TOKENS.admin });

export const TASKS: Task[] = [
  {
    name: 'M1',
    what: 'REST: merge of one page of 40, which both sides changed',
    prepare: async (service, { ordinary }, round) => {
      const merges: (() => Promise<void>)[] = [];
      for (const target of ordinary) merges.push(await prepareMerge(service, target, round));
      return merges;
    },
  },
  {
    name: 'I1',
    what: `REST: import of an archive of ${IMPORTED_PAGES} pages, until they are there`,
    prepare: async (service, { organizationIds }, round) => [
      await prepareImport(service, organizationIds[round % organizationIds.length] ?? ''),
    ],
    atOnce: 1,
  },
];

/** A change request and the primary content change different blocks of a page. */
async function prepareMerge(service: ServerProcess, { spaceId, pageId }: PageTarget, round: number) {
  const admin = asAdmin(service);
  const space = `/v1/spaces/${spaceId}`;
  const write = (at: string, markdown: string) =>
    call(admin, 'POST', `${at}/content`, {
      changes: [{ operation: 'update_page', page: pageId, document: { markdown } }],
    });
  await write(space, `First of ${round}.\n\nSecond.`);
  const { id } = await call(admin, 'POST', `${space}/change-requests`, {});
  const changeRequest = `${space}/change-requests/${id}`;
  await write(changeRequest, `First of ${round}, changed.\n\nSecond.`);
  await write(space, `First of ${round}.\n\nSecond, changed.`);
  return async () => {
    const { result } = await call<{ result: string }>(admin, 'POST', `${changeRequest}/merge`, {});
    if (result !== 'merge') throw new Error(`A merge answered "${result}".`);
  };
}

/** An uploaded archive and an empty space. */
async function prepareImport(service: ServerProcess, organizationId: string) {
  const admin = asAdmin(service);
  const { id: space } = await call(admin, 'POST', `/v1/orgs/${organizationId}/spaces`, {
    title: 'Import',
    empty: true,
  });
  const uploads = `/v1/orgs/${organizationId}/uploads?name=pages.zip`;
  const { id: upload } = await call(admin, 'POST', uploads, await archive());
  const imports = `/v1/org/${organizationId}/imports`;
  const source = { type: 'file', files: [upload] };
  return async () => {
    const { id } = await call(admin, 'POST', imports, { source, target: { space } });
    for (;;) {
      const { status } = await call(admin, 'GET', `${imports}/${id}`);
      if (status === 'completed') break;
      if (status !== 'pending' && status !== 'in-progress') throw new Error(`An import ended: ${status}.`);
      await sleep(POLL_MS);
    }
  };
}

/** Folders of ten pages. */
async function archive(): Promise<Buffer> {
  const draw = makeDraw(1);
  const zip = new yazl.ZipFile();
  for (let index = 0; index < IMPORTED_PAGES; index++) {
    const paragraphs = Array.from({ length: 8 }, () => remarkOf(draw)).join('\n\n');
    const name = index % 10 === 0 ? 'README' : `page-${index}`;
    zip.addBuffer(
      Buffer.from(`# ${titleOf(draw)}\n\n${paragraphs}\n\n[Next](page-${index + 1}.md)\n`),
      `section-${Math.floor(index / 10)}/${name}.md`,
    );
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** Prepares a task and measures it. */
export async function measureTask(
  service: ServerProcess,
  { task, targets, round }: { task: Task; targets: Targets; round: number },
  { connections }: Load,
  postgres: PostgresUsage,
): Promise<Measurement> {
  const acts = await task.prepare(service, targets, round);
  if (acts.length === 0) throw new Error(`${task.name}: the database has nothing to do it with.`);
  const count = acts.length;
  const times: number[] = [];
  const lane = async () => {
    for (let act = acts.shift(); act; act = acts.shift()) {
      const begun = performance.now();
      await act();
      times.push(performance.now() - begun);
    }
  };
  const before = { server: await service.usage(), postgres: await postgres?.() };
  const begun = performance.now();
  await Promise.all(Array.from({ length: task.atOnce ?? connections }, lane));
  const seconds = (performance.now() - begun) / 1_000;
  const after = { server: await service.usage(), postgres: await postgres?.() };
  const sorted = times.toSorted((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.min(count - 1, Math.floor(count * share))] ?? 0;
  return {
    requestsPerSecond: count / seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    serverCpu: (after.server.cpuMs - before.server.cpuMs) / count,
    postgresCpu:
      after.postgres === undefined || before.postgres === undefined
        ? undefined
        : (after.postgres - before.postgres) / count,
    memory: after.server.rssBytes,
  };
}
