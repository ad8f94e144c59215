import { setTimeout as sleep } from 'node:timers/promises';
import autocannon, { type Client, type Request } from 'autocannon';
import type { ServerProcess } from './processes.ts';

/** What one server did with one workload. Times are in milliseconds. */
export interface Measurement {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** CPU that the server took for a request. */
  serverCpu: number;
  /** CPU that PostgreSQL took for a request, where the system tells it. */
  postgresCpu: number | undefined;
  /** Memory of the server afterwards, in bytes. */
  memory: number;
}

export interface Load {
  connections: number;
  seconds: number;
}

/** CPU of PostgreSQL so far. */
export type PostgresUsage = (() => Promise<number | undefined>) | undefined;

const SHORTEST_WARM_UP = 1;

/** Warms a server up with requests and measures it with the same. Throws when one was not answered as it should be. */
export async function measure(
  server: ServerProcess,
  requests: Request[],
  { connections, seconds }: Load,
  postgres: PostgresUsage,
): Promise<Measurement> {
  await run(server, requests, { connections, seconds: Math.max(SHORTEST_WARM_UP, Math.round(seconds / 3)) });
  await settled(server, postgres);
  const before = { server: await server.usage(), postgres: await postgres?.() };
  const result = await run(server, requests, { connections, seconds });
  const after = { server: await server.usage(), postgres: await postgres?.() };
  await settled(server, postgres);
  const count = result['2xx'] + result['3xx'];
  return {
    requestsPerSecond: count / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    serverCpu: (after.server.cpuMs - before.server.cpuMs) / count,
    postgresCpu:
      after.postgres === undefined || before.postgres === undefined
        ? undefined
        : (after.postgres - before.postgres) / count,
    memory: after.server.rssBytes,
  };
}

async function run({ url }: ServerProcess, requests: Request[], { connections, seconds }: Load) {
  let next = 0;
  // Each connection begins elsewhere, or all would ask for the same at the same time.
  const setupClient = (client: Client) => {
    const begin = Math.floor((next++ * requests.length) / connections) % requests.length;
    client.setRequests([...requests.slice(begin), ...requests.slice(0, begin)].map((request) => ({ ...request })));
  };
  let fault = '';
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests,
    setupClient,
    idReplacement: requests.some(({ body }) => String(body ?? '').includes('[<id>]')),
    // GraphQL tells errors in answers of status 200. Quotes within strings are escaped.
    verifyBody(body) {
      const isGood = !String(body).includes('"errors":[');
      if (!isGood) fault ||= ` The first: ${String(body).slice(0, 300)}`;
      return isGood;
    },
  });
  const { errors, mismatches } = result;
  const isConditional = requests.every(({ headers }) => headers?.['if-none-match'] !== undefined);
  const non2xx = result.non2xx - (isConditional ? result['3xx'] : 0);
  if (non2xx + errors + mismatches === 0) return result;
  throw new Error(
    `${requests[0]?.path}: of ${result.requests.total} requests ${non2xx} had another status, ${errors} got no answer and ${mismatches} had errors.${fault}`,
  );
}

const MOMENT_MS = 100;
const IDLE_CPU_MS = 20;

/** Some workloads have other requests beside them, so that the server is never idle. */
const MAX_MOMENTS = 200;

/**
 * Clients leave in the middle of their last requests: waits until the server and PostgreSQL have done with them, which
 * would otherwise count against the contestant that is next.
 */
async function settled(server: ServerProcess, postgres: PostgresUsage): Promise<void> {
  const usage = async () => (await server.usage()).cpuMs + ((await postgres?.()) ?? 0);
  let before = await usage();
  for (let count = 0; count < MAX_MOMENTS; count++) {
    await sleep(MOMENT_MS);
    const after = await usage();
    if (after - before < IDLE_CPU_MS) return;
    before = after;
  }
}
