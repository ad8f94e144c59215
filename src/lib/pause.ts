import { setImmediate } from 'node:timers/promises';

/** How long one piece of work may hold the event loop, in milliseconds; others are served in between. */
const LONGEST = 15;

/** Called between the steps of long work: lets others run, once in a while. */
export type Pause = () => Promise<void>;

export function makePause(): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < LONGEST) return;
    await setImmediate();
    since = performance.now();
  };
}
