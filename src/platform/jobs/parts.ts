import type { Context } from '../context/context.ts';
import { loggable } from '../log/loggable.ts';

/** The parts of a job that do not depend on each other. */
export interface JobParts {
  /**
   * Runs a part and returns its result. If it fails, the result is undefined, and the error is logged with the given
   * fields unless many others were. If the job is being stopped, the reason is thrown.
   */
  run<Result>(fields: Readonly<Record<string, unknown>>, part: () => Promise<Result>): Promise<Result | undefined>;
  /** Fails if a part has failed, so that the job is retried. Call it at the end of the job. */
  throwIfFailed(): void;
}

/** So that a fault that all parts have does not fill the log. */
const MAX_LOGGED = 20;

/** Lets the parts of a job fail on their own, so that one of them cannot keep the others from running. */
export function separateParts({ log }: Context, signal: AbortSignal): JobParts {
  let failed = 0;
  let first: unknown;
  return {
    async run(fields, part) {
      try {
        return await part();
      } catch (error) {
        signal.throwIfAborted();
        failed += 1;
        first ??= error;
        if (failed <= MAX_LOGGED) log.error({ ...fields, err: loggable(error) }, 'a part of a job failed');
        return undefined;
      }
    },
    throwIfFailed() {
      if (failed === 0) return;
      throw new Error(`${failed} ${failed === 1 ? 'part' : 'parts'} of the job failed. See the log.`, { cause: first });
    },
  };
}
