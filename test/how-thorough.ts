/** `npm run test:thorough` sets it to how many times the usual number of cases laws are tried on. */
const times = process.env.LAW_RUNS;

/** Whether this is a run of `npm run test:thorough`. */
export const isThorough = times !== undefined;

/** The number of generated cases that a law is tried on: `usual`, or a multiple of it. */
export const lawRuns = (usual: number): number => Math.ceil(usual * Number(times ?? 1));
