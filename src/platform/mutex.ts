const turns = new Map<string, Promise<void>>();

/**
 * Runs what has the same key one after the other, in the order it was asked for, in this process. What would wait for each
 * other in the database anyway waits here without a connection, so that it takes none from the rest.
 */
export function withMutex<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(act);
  const over = mine.then(
    () => {},
    () => {},
  );
  turns.set(key, over);
  void over.then(() => {
    if (turns.get(key) === over) turns.delete(key);
  });
  return mine;
}
