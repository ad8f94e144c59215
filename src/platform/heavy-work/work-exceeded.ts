type Bound = 'time' | 'memory' | 'output';

const MESSAGES: Record<Bound, (limit: number) => string> = {
  time: (milliseconds) => `it took longer than ${milliseconds / 1_000} seconds`,
  memory: (megabytes) => `it took more than ${megabytes} MB of memory`,
  output: (bytes) => `it has more than ${bytes / 1_000_000} MB`,
};

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
