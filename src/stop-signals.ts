/**
 * Signals within this time count as one: a process that npm starts can get the same Ctrl-C from the terminal and from
 * npm.
 */
const ONE_SIGNAL_MS = 300;

/** Calls `stop` at the first SIGINT or SIGTERM, and `exit` at later ones. */
export function onStopSignals(stop: (signal: 'SIGINT' | 'SIGTERM') => void, exit: () => void): void {
  let stoppedAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const now = performance.now();
      if (stoppedAt === undefined) {
        stoppedAt = now;
        stop(signal);
      } else if (now - stoppedAt > ONE_SIGNAL_MS) {
        exit();
      }
    });
  }
}
