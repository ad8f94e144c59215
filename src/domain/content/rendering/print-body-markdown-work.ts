import { printWithLinks } from './print-with-links.ts';

/** Runs in a worker. The input of `printWithLinks` is passed as JSON, which is copied faster than objects. */
export const work = (json: string): string => printWithLinks(JSON.parse(json));
