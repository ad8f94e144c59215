import { expect } from 'vitest';

/** Four times the input may take so much more time: linear is 4, the square is 16, and there is noise. */
export const MOST = 9;
/** Milliseconds of the processor below which time says nothing of growth. */
const LEAST = 40;

/**
 * Fails where work grows faster than its input. Compares in one run, by the processor's time of this thread: neither
 * the speed of the machine nor what else it does decides. What takes a moment only passes, so `size` is to be one at
 * which the square, or worse, would take longer.
 */
export async function expectLinear<Input>(
  work: (input: Input) => unknown,
  inputOf: (size: number) => Input,
  size: number,
): Promise<void> {
  expect(await growthOf(work, inputOf, size), 'of the time, for four times the input').toBeLessThanOrEqual(MOST);
}

/**
 * How much longer four times the size takes. Where it is too much, from four times the size on too: a limit of the work
 * makes one step, while the square goes on.
 */
export async function growthOf<Input>(
  work: (input: Input) => unknown,
  inputOf: (size: number) => Input,
  size: number,
): Promise<number> {
  const growth = await growthFrom(work, inputOf, size);
  return growth > MOST ? Math.min(growth, await growthFrom(work, inputOf, 4 * size)) : growth;
}

/** How much longer four times the size takes; the least of three tries. */
async function growthFrom<Input>(
  work: (input: Input) => unknown,
  inputOf: (size: number) => Input,
  size: number,
): Promise<number> {
  const [short, long] = [inputOf(size), inputOf(4 * size)];
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > MOST; tries++) {
    const time = await timeOf(() => work(long));
    if (time < LEAST) return 1;
    const timeOfShort = (await timeOf(() => fourTimes(() => work(short)))) / 4;
    least = Math.min(least, time / Math.max(timeOfShort, 1));
  }
  return least;
}

/** Makes as much garbage as the long input does, so that both times contain its collection. */
async function fourTimes(work: () => unknown): Promise<void> {
  for (let times = 0; times < 4; times++) await work();
}

/** Milliseconds of the processor's time that this thread takes. */
export async function timeOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
