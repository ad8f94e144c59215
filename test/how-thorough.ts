/** Set by `npm run test:thorough`: the factor by which it tries laws on more cases than other runs. */
const factor = process.env.LAW_RUNS;

/** Whether this is a run of `npm run test:thorough`. */
export const isThorough = factor !== undefined;

/** The number of generated cases that a law is tried on: `usual`, or more in `npm run test:thorough`. */
export const lawRuns = (usual: number): number => Math.ceil(usual * Number(factor ?? 1));

/** All cases in `npm run test:thorough`, and every so many of them in other runs. */
export const sampled = <Case>(cases: readonly Case[], every: number): readonly Case[] =>
  isThorough ? cases : cases.filter((_, index) => index % every === 0);
