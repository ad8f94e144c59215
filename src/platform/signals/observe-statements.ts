import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Pool, PoolClient } from 'pg';
import type { Metrics } from './metrics.ts';

type Query = (text: unknown, ...rest: unknown[]) => unknown;

/** Counts and times the statements of a pool, and traces those of a request or job: with their text, never their values. */
export function observeStatements(pool: Pool, metrics: Pick<Metrics, 'statement'>): void {
  pool.on('connect', (client) => observeOn(client as PoolClient, metrics)); // the pool's own type says Client
}

function observeOn(client: PoolClient, metrics: Pick<Metrics, 'statement'>): void {
  const query = client.query.bind(client) as Query; // one signature for its overloads
  const observed: Query = (text, ...rest) => {
    if (typeof text !== 'string' || FRAMES.test(text)) return query(text, ...rest);
    const started = performance.now();
    const span = statementSpan(text);
    const end = (isGood: boolean) => {
      metrics.statement(isGood, (performance.now() - started) / 1_000);
      if (!isGood) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    };
    const running = query(text, ...rest);
    if (running instanceof Promise) {
      running.then(
        () => end(true),
        () => end(false),
      );
    }
    return running;
  };
  client.query = observed as PoolClient['query']; // the same overloads as before
}

/** What begins and ends transactions is no statement of ours. */
const FRAMES = /^(begin|start transaction|commit|rollback|savepoint|release)\b/i;

const tracer = trace.getTracer('stemma');

/** Only within something that is traced: what the service asks by itself would be traces of one statement each. */
function statementSpan(text: string) {
  if (!trace.getActiveSpan()) return undefined;
  const name = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAX_TEXT) };
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
}

const MAX_TEXT = 10_000;
