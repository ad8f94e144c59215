import { FairGate } from '../../database/fair-gate.ts';

/**
 * Long JSON texts are read and written one at a time, and accounts alternate. All work that waits for the end of a tick resumes
 * in the same one, so that each of many would do a step before the budget of that tick is spent.
 */
export const jsonGate = new FairGate({ max: 1 });
