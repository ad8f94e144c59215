import { setTimeout as sleep } from 'node:timers/promises';

export const LOADS_MS = 2_000;

await sleep(LOADS_MS);

/** Work of a module that takes long to load. */
export const work = (): string => 'done';
