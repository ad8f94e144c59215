import { randomUUID } from 'node:crypto';

/** Id of a request in its response (`X-Request-Id`), in errors and in the log. */
export const newRequestId = () => `req-${randomUUID()}`;
