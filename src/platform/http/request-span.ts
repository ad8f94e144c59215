import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tracing } from '../telemetry/tracing.ts';

const tracer = trace.getTracer('stemma');

/** Handles a request within a span, below that of its `traceparent` (W3C Trace Context). */
export function inRequestSpan<Result>(
  request: FastifyRequest,
  { raw }: FastifyReply,
  act: () => Promise<Result>,
): Promise<Result> {
  if (!tracing.isOn) return act();
  const { method, headers, id } = request;
  const { url: route = '' } = request.routeOptions;
  const attributes = { 'http.request.method': method, 'http.route': route, 'stemma.request.id': id };
  const parent = propagation.extract(context.active(), headers);
  return tracer.startActiveSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent, (span) => {
    raw.once('close', () => {
      span.setAttribute('http.response.status_code', raw.statusCode);
      if (raw.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    return act();
  });
}
