import type { EventEmitter } from 'node:events';

/**
 * Returns the promise, with a handler for its rejection. Callers that await it still get the rejection. If none does,
 * or not at once, Node does not report it as unhandled. For promises that a caller may hold while it awaits another
 * one.
 */
export function markHandled<Made extends PromiseLike<unknown>>(promise: Made): Made {
  promise.then(undefined, ignore);
  return promise;
}

/**
 * Returns the stream or process, with a listener for its errors. Readers still get them. Without a reader, such as
 * after the request was cancelled, Node does not throw them as uncaught. For emitters that a function returns or that
 * outlive it.
 */
export function markErrorsHandled<Made extends EventEmitter>(emitter: Made): Made {
  return emitter.on('error', ignore);
}

const ignore = () => {};
