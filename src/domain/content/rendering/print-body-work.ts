import { printed } from './printed.ts';

/** Runs in a worker. The input of `printed` is passed as JSON, which is copied faster than objects. */
export const work = (json: string): string => printed(JSON.parse(json));
