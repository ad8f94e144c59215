import { OperatorError } from '../errors/operator-error.ts';

/** The secret key, the database and the files do not belong together. The message says what to do. */
export class SecretKeyError extends OperatorError {}
