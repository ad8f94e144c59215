const turns = new Map<string, Promise<void>>();

/**
 * Runs functions with the same key in this process one after the other, in order of the calls. Statements that would
 * wait for the same row lock wait here instead, without occupying a database connection.
 */
export function withMutex<Result>(key: string, act: () => Promise<Result>): Promise<Result> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(act);
  const over = mine.then(
    () => {},
    () => {},
  );
  turns.set(key, over);
  const forget = () => {
    if (turns.get(key) === over) turns.delete(key);
  };
  over.then(forget, forget);
  return mine;
}
