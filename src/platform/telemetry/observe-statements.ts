import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { StatementObserver } from '../database/pool-connection.ts';
import type { Metrics } from './metrics.ts';
import { tracing } from './tracing.ts';

/** Counts and measures statements, and traces those of requests and jobs, with their text but without values. */
export const observeStatements =
  (metrics: Pick<Metrics, 'statement'>): StatementObserver =>
  (text) => {
    const started = performance.now();
    const span = statementSpan(text);
    return (isGood) => {
      metrics.statement(isGood, (performance.now() - started) / 1_000);
      if (!isGood) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    };
  };

const tracer = trace.getTracer('stemma');

/** Only within another span. Otherwise each internal statement would be a trace. */
function statementSpan(text: string) {
  if (!tracing.isOn || !trace.getActiveSpan()) return undefined;
  const name = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAX_TEXT) };
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
}

const MAX_TEXT = 10_000;
