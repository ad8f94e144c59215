import { currentAccount } from '../../context/account.ts';
import { FairSlots } from '../../fair-shares/fair-slots.ts';

const slots = new FairSlots({ atOnce: 1 });

/**
 * Waits until the caller may read or write a long JSON text: one at a time, and accounts alternate. All work that waits
 * for the end of a tick resumes in the same one, so that each of many would do a step before the budget of that tick is
 * spent.
 */
export const takeJsonSlot = (): Promise<Disposable> => slots.take(currentAccount());
