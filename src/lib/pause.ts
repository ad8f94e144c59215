import { setImmediate } from 'node:timers/promises';

/** Maximum time in milliseconds between two turns of the event loop. */
const LONGEST = 15;

/** Yields to the event loop if the last turn is long ago. Call it between the steps of long work. */
export type Pause = () => Promise<void>;

export function makePause(): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < LONGEST) return;
    await setImmediate();
    since = performance.now();
  };
}
