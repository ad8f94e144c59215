/** A signal that aborts with others, until it is disposed. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Like `AbortSignal.any`, for signals of which some live as long as the process: these keep nothing of a linked signal
 * that was disposed or has aborted. Node 20 and 22 keep 60 to 170 bytes of each result of `AbortSignal.any`.
 */
export function linkSignals(signals: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  const dispose = () => {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  };
  function abort(): void {
    dispose();
    controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  }
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  if (signals.some(({ aborted }) => aborted)) abort();
  return { signal: controller.signal, [Symbol.dispose]: dispose };
}
