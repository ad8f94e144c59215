import { turnNow } from './turn.ts';

/** How long work may hold the event loop in one turn of it, in milliseconds. */
export const LONGEST_TURN = 6;

/** Called between the steps of long work: lets other work run once the current turn of the event loop has lasted long enough. */
export type Pause = () => Promise<void>;

/**
 * The budget of a turn is shared by all long work in the process, and time spent waiting (for the database) does not
 * count. Work that continues after a pause does so in the same turn as other paused work, so that its reads are
 * batched.
 */
export function makePause(): Pause {
  return async () => {
    while (isTurnOver()) await turnNow().ended;
  };
}

/** Whether long work has to pause now. For steps that are too short for a promise each. */
export function isTurnOver(): boolean {
  const { began } = turnNow();
  return performance.now() - began >= LONGEST_TURN;
}
