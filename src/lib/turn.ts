/** One turn of the event loop, timed from its first use. */
export interface Turn {
  readonly began: number;
  readonly ended: Promise<void>;
}

let current: Turn | undefined;

/** The current turn of the event loop. Its age is the time that work in it took, without time spent waiting. */
export function turnNow(): Turn {
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

/** How long the current turn of the event loop has lasted, in milliseconds. */
export const ageOfTurn = (): number => performance.now() - turnNow().began;
