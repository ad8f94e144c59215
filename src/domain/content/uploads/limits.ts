/** Most bytes of an upload (docs/decisions.md, Content). */
export const MAX_UPLOAD_BYTES = 200 * 1024 * 1024;

/** How long its uploader may use an upload. */
export const UPLOAD_LIFE_MS = 24 * 60 * 60 * 1000;
