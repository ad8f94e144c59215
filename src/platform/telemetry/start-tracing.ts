import { context, propagation, trace } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import { tracing } from './tracing.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Exports traces over HTTP according to OpenTelemetry's variables (OTEL_EXPORTER_OTLP_ENDPOINT or
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT). Without them, nothing is loaded or traced. Returns a function that sends pending
 * traces and stops.
 */
export async function startTracing(environment: Environment): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_SDK_DISABLED } = environment;
  const endpoint = OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || OTEL_SDK_DISABLED === 'true') return async () => {};
  const [sdk, { OTLPTraceExporter }, resources, { AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
    ]);
  const named = resources.resourceFromAttributes({ 'service.name': environment.OTEL_SERVICE_NAME || 'stemma' });
  const detected = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(named).merge(detected),
    sampler: samplerFor(environment, sdk),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...batchFor(environment) })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  tracing.isOn = true;
  return () => provider.shutdown();
}

type Sdk = typeof import('@opentelemetry/sdk-trace');

/** Defined in the OpenTelemetry specification, "Environment Variable Specification", General SDK Configuration. */
function samplerFor({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: Environment, sdk: Sdk) {
  const ratio = () => new sdk.TraceIdRatioBasedSampler(numberIn(share) ?? 1);
  const below = (root: Sampler) => new sdk.ParentBasedSampler({ root });
  if (name === 'always_on') return new sdk.AlwaysOnSampler();
  if (name === 'always_off') return new sdk.AlwaysOffSampler();
  if (name === 'traceidratio') return ratio();
  if (name === 'parentbased_traceidratio') return below(ratio());
  return below(name === 'parentbased_always_off' ? new sdk.AlwaysOffSampler() : new sdk.AlwaysOnSampler());
}

/** Defined in the same place under "Batch Span Processor". */
function batchFor(environment: Environment) {
  const options = {
    scheduledDelayMillis: numberIn(environment.OTEL_BSP_SCHEDULE_DELAY),
    exportTimeoutMillis: numberIn(environment.OTEL_BSP_EXPORT_TIMEOUT),
    maxQueueSize: numberIn(environment.OTEL_BSP_MAX_QUEUE_SIZE),
    maxExportBatchSize: numberIn(environment.OTEL_BSP_MAX_EXPORT_BATCH_SIZE),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The specification requires that values that are not numbers count as unset. */
const numberIn = (text: string | undefined) => (text && Number.isFinite(Number(text)) ? Number(text) : undefined);
