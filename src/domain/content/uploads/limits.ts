/** Maximum size of an upload in bytes. */
export const MAX_UPLOAD_BYTES = 200 * 1024 * 1024;

/** Time until an upload expires. */
export const UPLOAD_LIFE_MS = 24 * 60 * 60 * 1000;
