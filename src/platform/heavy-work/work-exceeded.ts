/** Work exceeded its limit of time or memory. The message is the end of a sentence. */
export class WorkExceeded extends Error {
  readonly bound: 'time' | 'memory';

  constructor(bound: 'time' | 'memory', limit: number) {
    super(
      bound === 'time' ? `it took longer than ${limit / 1_000} seconds` : `it took more than ${limit} MB of memory`,
    );
    this.name = 'WorkExceeded';
    this.bound = bound;
  }

  static time(limitMs: number): WorkExceeded {
    return new WorkExceeded('time', limitMs);
  }

  static memory(megabytes: number): WorkExceeded {
    return new WorkExceeded('memory', megabytes);
  }
}
