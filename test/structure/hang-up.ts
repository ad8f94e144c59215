import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { administer } from '../database.ts';
import type { ReadShape } from './read-shapes.ts';

/** What clients did that hang up, by kind of request. */
export interface HangUps {
  query: number;
  route: number;
  subscription: number;
  /** Answers of which a part had arrived. */
  answered: number;
  /** Connections that the service did not accept, which it does while it runs. */
  refused: number;
  /** Times at which connections of the database were cut. */
  cuts: number;
}

export interface HangUpPlan {
  url: string;
  databaseUrl: string;
  /** Access tokens. Undefined for requests without one. */
  tokens: readonly (string | undefined)[];
  shapes: readonly ReadShape[];
  count: number;
  random(): number;
}

const AT_ONCE = 10;
/** Longest time after which a client hangs up, in milliseconds. Most requests take less. */
const PATIENCE_MS = 60;
/** How much longer than its request took a client may wait at most: some answers arrive. */
const LATE = 1.2;
/** Requests after which some connections of the database are cut. */
const CUT_EVERY = 97;

/**
 * Sends requests in a random order, all shapes equally often, and hangs up at random moments of the time that a request
 * of the shape took: the first time, the client waits a while for the answer.
 */
export async function hangUp({ url, databaseUrl, tokens, shapes, count, random }: HangUpPlan): Promise<HangUps> {
  const done: HangUps = { query: 0, route: 0, subscription: 0, answered: 0, refused: 0, cuts: 0 };
  let waiting: ReadShape[] = [];
  let sent = 0;
  const took = new Map<string, number>();
  const next = (): ReadShape | undefined => {
    if (waiting.length === 0) waiting = [...shapes];
    return waiting.splice(Math.floor(random() * waiting.length), 1)[0];
  };
  const client = async () => {
    while (sent < count) {
      sent++;
      if (sent % CUT_EVERY === 0) {
        done.cuts++;
        await cutDatabase(databaseUrl);
      }
      const shape = next();
      if (!shape) return;
      const token = tokens[Math.floor(random() * tokens.length)];
      done[shape.kind]++;
      const known = took.get(shape.name);
      const afterMs = known === undefined ? PATIENCE_MS : random() * known * LATE;
      const { outcome, answeredMs } = await abandon(url, shape, token, afterMs);
      if (known === undefined) took.set(shape.name, Math.min(PATIENCE_MS, answeredMs));
      if (outcome !== 'left') done[outcome]++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return done;
}

/** Some of the connections to this database, so that statements on others run on. */
const cutDatabase = (databaseUrl: string) =>
  administer(
    databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'stemma%'
     order by random() limit 3`,
  );

/** Sends a request, and destroys its connection after a while. */
async function abandon(
  url: string,
  { method, path, body = '', kind }: ReadShape,
  token: string | undefined,
  afterMs: number,
): Promise<{ outcome: 'left' | 'answered' | 'refused'; answeredMs: number }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let outcome: 'left' | 'answered' | 'refused' = 'refused';
  socket.on('error', () => {});
  let [begun, answeredMs] = [0, Number.POSITIVE_INFINITY];
  socket.once('data', () => {
    outcome = 'answered';
    answeredMs = performance.now() - begun;
  });
  const closed = once(socket, 'close').catch(() => {});
  await Promise.race([once(socket, 'connect').catch(() => {}), closed]);
  if (!socket.destroyed) {
    outcome = 'left';
    begun = performance.now();
    socket.write(head(method, path, kind, token, body));
    await sleep(afterMs);
    socket.destroy();
  }
  await closed;
  return { outcome, answeredMs };
}

const head = (method: string, path: string, kind: string, token: string | undefined, body: string): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(kind === 'subscription' ? ['accept: text/event-stream'] : []),
    ...(method === 'POST' ? ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`] : []),
    '',
    body,
  ].join('\r\n');
