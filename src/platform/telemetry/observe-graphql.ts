import { type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { Kind, parse } from 'graphql';
import type { GraphQLOutcome } from '../graphql/request/outcome.ts';
import type { CheckedParams } from '../graphql/request/params.ts';
import type { RunGraphQL } from '../graphql/request/run-graphql.ts';
import type { TrustedDocuments } from '../graphql/request/trusted-documents.ts';
import type { Metrics } from './metrics.ts';
import { tracing } from './tracing.ts';

const tracer = trace.getTracer('stemma');

/** Measures and traces graph operations, by name for those of trusted documents. */
export function observeGraphQL(
  run: RunGraphQL,
  metrics: Pick<Metrics, 'operation'>,
  documents: TrustedDocuments,
): RunGraphQL {
  const names = new Map([...documents.texts].map((text) => [text, operationNames(text)]));

  const nameOf = ({ query, operationName }: CheckedParams): string | undefined => {
    const matches = names.get(query);
    if (operationName === undefined || operationName === null) return matches?.length === 1 ? matches[0] : undefined;
    return matches?.find((name) => name === operationName);
  };
  const measured = async (name: string | undefined, running: () => Promise<GraphQLOutcome>, span?: Span) => {
    const started = performance.now();
    let isGood = false;
    try {
      const outcome = await running();
      isGood = outcome.response.errors === undefined;
      return outcome;
    } finally {
      metrics.operation(name, isGood, (performance.now() - started) / 1_000);
      if (name !== undefined) span?.setAttribute('graphql.operation.name', name);
      if (!isGood) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    }
  };
  return (params, ctx, options) => {
    const name = nameOf(params);
    const running = () => run(params, ctx, options);
    if (!tracing.isOn) return measured(name, running);
    const title = name === undefined ? 'graphql' : `graphql ${name}`;
    return tracer.startActiveSpan(title, (span) => measured(name, running, span));
  };
}

function operationNames(text: string): string[] {
  return parse(text).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION && definition.name ? [definition.name.value] : [],
  );
}
