/** Settles as the promise does, and rejects with an error when it takes longer than a time limit in milliseconds. */
export function withinTimeLimit<Result>(
  promise: Promise<Result>,
  limitMs: number,
  tooLong: () => Error,
): Promise<Result> {
  const { promise: limit, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => reject(tooLong()), limitMs);
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}
