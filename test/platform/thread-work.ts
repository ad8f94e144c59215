/** What the tests of the pool have done in threads. */
export async function work({
  say,
  fails,
  forever,
  hoard,
}: {
  say?: string;
  fails?: true;
  forever?: true;
  hoard?: true;
}) {
  if (fails) throw new Error('It is meant to fail.');
  while (forever);
  if (hoard) for (const all: unknown[] = []; ; ) all.push(Array.from({ length: 10_000 }, () => ({ all })));
  return { said: say };
}
