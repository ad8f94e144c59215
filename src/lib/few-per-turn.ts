/**
 * Makes a function that lets at most `most` callers continue in each turn of the event loop. For many simultaneous
 * events that each cause work later in the turn, so that the work so far does not show (`makePause`) how much will
 * follow.
 */
export function fewPerTurn(most: number): () => Promise<void> {
  let passed = 0;
  let turn: Promise<void> | undefined;
  return async () => {
    for (;;) {
      turn ??= new Promise((resolve) => {
        setImmediate(() => {
          passed = 0;
          turn = undefined;
          resolve();
        });
      });
      if (passed < most) break;
      await turn;
    }
    passed++;
  };
}
