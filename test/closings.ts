import { Closing } from '../src/lib/closing.ts';

let closing = new Closing();

/**
 * Registers what is closed at the end of the current file (`setup.ts`), if it has not been closed by then. Can be
 * called within tests and hooks, where vitest would never run an `afterAll`. Returns a function that closes it, once.
 */
export function closeAtEndOfFile(close: () => unknown): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const closeOnce = () => {
    closed ??= (async () => void (await close()))();
    return closed;
  };
  closing.add(closeOnce);
  return closeOnce;
}

/** Closes everything that is registered, the latest first. For files that stop a server on which it depends. */
export function closeAll(): Promise<void> {
  const current = closing;
  closing = new Closing();
  return current.close();
}
