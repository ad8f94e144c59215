import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, Gauge, Registry } from 'prom-client';

/** Time within which the metrics of all processes arrive. prom-client waits five seconds for each process. */
const WITHIN_MS = 6_000;

interface MetricsRequest {
  stemmaMetrics: number;
}

interface MetricsResponse extends MetricsRequest {
  text?: string;
  error?: string;
}

const isMessage = (message: unknown): message is MetricsResponse =>
  typeof message === 'object' && message !== null && 'stemmaMetrics' in message;

/**
 * Lets the starting process ask for the metrics of this server process, which it adds up. Returns a function that asks
 * it for those of all server processes.
 */
export function joinMetrics(registries: Registry[]): () => Promise<string> {
  new AggregatorRegistry(); // answers the starting process
  AggregatorRegistry.setRegistries(registries);
  const waiting = new Map<number, (response: MetricsResponse) => void>();
  let last = 0;
  process.on('message', (message) => {
    if (isMessage(message)) waiting.get(message.stemmaMetrics)?.(message);
  });
  return () =>
    new Promise((resolve, reject) => {
      const number = ++last;
      const end = () => {
        clearTimeout(timer);
        waiting.delete(number);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error('The metrics of all processes did not arrive in time.'));
      }, WITHIN_MS);
      waiting.set(number, ({ text, error }) => {
        end();
        if (text === undefined) reject(new Error(error));
        else resolve(text);
      });
      process.send?.({ stemmaMetrics: number } satisfies MetricsRequest);
    });
}

/** The time at which the last server process was started. Each change is a start. */
export const lastStart = (registers: Registry[]) =>
  new Gauge({
    name: 'stemma_last_process_start_time_seconds',
    help: 'Time at which the last server process on this port was started, in seconds since 1970.',
    registers,
  });

/**
 * In the starting process, before it starts others: answers server processes that ask for the metrics of all of them.
 * prom-client leaves out times of start where it adds processes up.
 */
export function addUpMetrics(): void {
  const registry = new AggregatorRegistry();
  const own = new Registry();
  const started = lastStart([own]);
  cluster.on('fork', () => started.set(Date.now() / 1_000));
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isMessage(message)) return;
    const { stemmaMetrics } = message;
    const send = (response: Omit<MetricsResponse, 'stemmaMetrics'>) => {
      if (worker.isConnected()) worker.send({ stemmaMetrics, ...response } satisfies MetricsResponse);
    };
    Promise.all([registry.clusterMetrics(), own.metrics()]).then(
      (texts) => send({ text: texts.join('\n') }),
      (error: unknown) => send({ error: String(error) }),
    );
  });
}
