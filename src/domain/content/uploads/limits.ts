import { DAY_MS } from '../../../lib/durations.ts';

/** Maximum size of an upload in bytes. */
export const MAX_UPLOAD_BYTES = 200 * 1024 * 1024;

/** Time until an upload expires. */
export const UPLOAD_LIFE_MS = DAY_MS;
