/** Time after which long work yields in a tick of the event loop, in milliseconds. */
export const YIELD_AFTER_MS = 6;

/** One tick of the event loop, timed from its first use. */
interface Tick {
  readonly began: number;
  readonly ended: Promise<void>;
}

let current: Tick | undefined;

function currentTick(): Tick {
  current ??= {
    began: performance.now(),
    ended: new Promise((resolve) => {
      setImmediate(() => {
        current = undefined;
        resolve();
      });
    }),
  };
  return current;
}

/** Returns the duration of the current tick in milliseconds, without time that was spent waiting. */
export const tickAge = (): number => performance.now() - currentTick().began;

/** Whether long work must yield now. For steps that are too short for a promise each. */
export const isTickBudgetSpent = (): boolean => tickAge() >= YIELD_AFTER_MS;

/** Called between the steps of long work. Yields to the event loop when the budget of the tick is spent. */
export type Yielder = () => Promise<void>;

/**
 * All long work of the process shares the budget of a tick. Time spent waiting for the database does not count. Work
 * that has yielded resumes in one tick, so that its reads are batched.
 */
export const makeYielder = (): Yielder => async () => {
  while (isTickBudgetSpent()) await currentTick().ended;
};
