/**
 * Makes a function that lets at most `most` callers go on in each turn of the event loop. For many events of the same
 * time, each of which causes work later in the turn, so that the work so far does not tell (`makePause`) how much is to come.
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
