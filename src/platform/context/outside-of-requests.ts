import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs a function outside of the current request: without its cancellation, account and trace, also in timers. For work
 * that several requests depend on. This module must be loaded at the start, outside of requests.
 */
export const outsideOfRequests: <Result>(act: () => Result) => Result = AsyncLocalStorage.snapshot();
