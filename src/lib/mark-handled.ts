/**
 * Returns the promise, with a handler for its rejection. Callers that await it still get the rejection. If none does,
 * or not at once, Node does not report it as unhandled. For promises that a caller may hold while it awaits another
 * one.
 */
export function markHandled<Made extends PromiseLike<unknown>>(promise: Made): Made {
  promise.then(undefined, ignore);
  return promise;
}

const ignore = () => {};
