import type { EventEmitter } from 'node:events';

/**
 * Returns the stream or process, with a listener for its errors. Readers still get them. Without a reader, such as
 * after the request was cancelled, Node does not throw them as uncaught. For emitters that a function returns or that
 * outlive it.
 */
export function markErrorsHandled<Made extends EventEmitter>(emitter: Made): Made {
  return emitter.on('error', ignore);
}

const ignore = () => {};
