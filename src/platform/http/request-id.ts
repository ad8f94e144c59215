import { randomUUID } from 'node:crypto';

/** Names one request in its answer (`x-request-id`), in errors and in the log. */
export const newRequestId = () => `req-${randomUUID()}`;
