import { printed } from './printed.ts';

/** For threads: JSON of what `printed` takes, which is copied faster than its objects. */
export const work = (json: string): string => printed(JSON.parse(json));
