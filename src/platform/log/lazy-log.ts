import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';

/** Whether a logger of one level writes lines of another. */
export const isLevelLogged = (level: string, of: pino.Level): boolean =>
  level !== 'silent' && (pino.levels.values[of] ?? 0) >= (pino.levels.values[level] ?? 0);

/**
 * A logger that is made when it first writes a line. Most requests write none, and making a logger prints its fields.
 * `parent` has the level of the logger.
 */
export function lazyLog(parent: FastifyBaseLogger, make: () => FastifyBaseLogger): FastifyBaseLogger {
  return new LazyLog(parent, make) as FastifyBaseLogger; // the methods have the overloads of pino's
}

type Log = (...words: [object | string, ...unknown[]]) => void;

class LazyLog {
  readonly #parent: FastifyBaseLogger;
  readonly #make: () => FastifyBaseLogger;
  #instance: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, make: () => FastifyBaseLogger) {
    this.#parent = parent;
    this.#make = make;
  }

  get level(): string {
    return (this.#instance ?? this.#parent).level;
  }

  set level(level: string) {
    this.#log.level = level;
  }

  trace(...words: unknown[]): void {
    this.#write('trace', words);
  }

  debug(...words: unknown[]): void {
    this.#write('debug', words);
  }

  info(...words: unknown[]): void {
    this.#write('info', words);
  }

  warn(...words: unknown[]): void {
    this.#write('warn', words);
  }

  error(...words: unknown[]): void {
    this.#write('error', words);
  }

  fatal(...words: unknown[]): void {
    this.#write('fatal', words);
  }

  silent(): void {}

  child(...args: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...args);
  }

  get #log(): FastifyBaseLogger {
    this.#instance ??= this.#make();
    return this.#instance;
  }

  #write(level: pino.Level, words: unknown[]): void {
    if (isLevelLogged(this.level, level)) (this.#log[level] as Log)(...(words as Parameters<Log>)); // what pino takes
  }
}
