import type { Registry } from 'prom-client';

/** Upper bounds of the buckets, in seconds: of requests and statements, and of jobs, which take up to six hours. */
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
export const JOB_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 900, 3_600, 21_600];

interface Series {
  labels: Record<string, string>;
  /** Number of values in each bucket, with those above all bounds last. */
  counts: number[];
  sum: number;
}

/**
 * A Prometheus histogram of durations. That of prom-client hashes and checks the labels of each value, which takes a
 * microsecond for every statement and request.
 */
export class DurationHistogram<Label extends string = never> {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly #labelNames: readonly Label[];
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor(
    name: string,
    help: string,
    labelNames: readonly Label[],
    registers: readonly Registry[],
    bounds: readonly number[] = SECONDS,
  ) {
    this.name = name;
    this.help = help;
    this.#labelNames = labelNames;
    this.#bounds = bounds;
    // The registry only calls `get` and `reset`, and reads what is public here.
    for (const registry of registers) registry.registerMetric(this as never);
    if (labelNames.length === 0) this.#seriesOf([]);
  }

  /** Adds a duration. `values` are those of the labels, in their order. */
  observe(values: readonly string[], seconds: number): void {
    const series = this.#seriesOf(values);
    let bucket = 0;
    while (bucket < this.#bounds.length && seconds > (this.#bounds[bucket] ?? 0)) bucket++;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  reset(): void {
    this.#series.clear();
  }

  /** The values in the form of prom-client. Buckets are cumulative (Prometheus, "Exposition formats"). */
  async get() {
    const values = [...this.#series.values()].flatMap(({ labels, counts, sum }) => {
      let count = 0;
      const buckets = counts.map((inBucket, index) => {
        count += inBucket;
        const le = this.#bounds[index] ?? '+Inf';
        return { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: count };
      });
      return [
        ...buckets,
        { metricName: `${this.name}_sum`, labels, value: sum },
        { metricName: `${this.name}_count`, labels, value: count },
      ];
    });
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }

  #seriesOf(values: readonly string[]): Series {
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\0');
    const existing = this.#series.get(key);
    if (existing) return existing;
    const labels = Object.fromEntries(this.#labelNames.map((name, index) => [name, values[index] ?? '']));
    const series = { labels, counts: Array<number>(this.#bounds.length + 1).fill(0), sum: 0 };
    this.#series.set(key, series);
    return series;
  }
}
