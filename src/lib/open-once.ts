import { AsyncLocalStorage } from 'node:async_hooks';
import { markHandled } from './mark-handled.ts';

const outsideOfCallers = AsyncLocalStorage.snapshot();

/** Something that is opened when it is used first. */
export interface OpenedOnce<Value> {
  /** Opens it, unless it is open. If that fails, the next use tries again. */
  use(): Promise<Value>;
  /** The opened resource. Undefined if it was not used, or could not be opened. */
  opened(): Promise<Value | undefined>;
}

/** `open` runs outside of the request that uses it first, whose end does not concern other uses. */
export function openOnce<Value>(open: () => Promise<Value>): OpenedOnce<Value> {
  let opening: Promise<Value> | undefined;
  return {
    async use() {
      opening ??= markHandled(outsideOfCallers(open));
      const current = opening;
      try {
        return await current;
      } catch (error) {
        // Another use may have begun again.
        if (opening === current) opening = undefined;
        throw error;
      }
    },
    async opened() {
      return opening?.catch(() => undefined);
    },
  };
}
