import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs a function without the cancellation, the account and the trace of the request that happens to need it first, also
 * its timers. For what others need too. This module must be loaded at the start, outside of requests.
 */
export const outsideOfRequests: <Result>(act: () => Result) => Result = AsyncLocalStorage.snapshot();
