import { ApiError, OperatorError } from '../errors/errors.ts';

/** The secret key, the database and the files do not belong together. The message says what to do. */
export class SecretKeyError extends OperatorError {}

/**
 * A stored secret cannot be decrypted, since the secret key of the service was lost or the value was damaged. CONFLICT
 * for callers; jobs note the message where people look for it.
 */
export class UnreadableSecret extends ApiError {
  constructor(name: string, remedy: string) {
    super('CONFLICT', `The ${name} cannot be read with the secret key of the service. ${remedy}`);
    this.name = 'UnreadableSecret';
  }
}
