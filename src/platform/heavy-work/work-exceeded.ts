import { MINUTE_MS } from '../../lib/durations.ts';

type Bound = 'time' | 'memory' | 'output';

const MESSAGES: Record<Bound, (limit: number) => string> = {
  time: (milliseconds) => `it took longer than ${duration(milliseconds)}`,
  memory: (megabytes) => `it took more than ${Math.round(megabytes)} MB of memory`,
  output: (bytes) => `it has more than ${amount(bytes / 1_000_000)} MB`,
};

/** Whole seconds, or minutes from two minutes on. Limits below a second have one digit. */
const duration = (milliseconds: number): string =>
  milliseconds >= 2 * MINUTE_MS
    ? `${amount(milliseconds / MINUTE_MS)} minutes`
    : counted(milliseconds < 1_000 ? amount(milliseconds / 1_000) : String(Math.round(milliseconds / 1_000)), 'second');

/** At most one digit after the point. */
const amount = (value: number): string => String(Math.max(0.1, Math.round(value * 10) / 10));

const counted = (number: string, unit: string) => `${number} ${unit}${number === '1' ? '' : 's'}`;

/** Work exceeded its limit of time, memory or output. The message is the end of a sentence. */
export class WorkExceeded extends Error {
  readonly bound: Bound;

  constructor(bound: Bound, limit: number) {
    super(MESSAGES[bound](limit));
    this.name = 'WorkExceeded';
    this.bound = bound;
  }

  static time(limitMs: number): WorkExceeded {
    return new WorkExceeded('time', limitMs);
  }

  static output(bytes: number): WorkExceeded {
    return new WorkExceeded('output', bytes);
  }

  static memory(megabytes: number): WorkExceeded {
    return new WorkExceeded('memory', megabytes);
  }
}
