import { ApiError } from './errors.ts';

/** Keywords of errors of SCIM (RFC 7644, 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** An error that is returned to a client of SCIM with its keyword. Its status is 400, but 409 if a name is taken. */
export class ScimError extends ApiError {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, message: string) {
    super(scimType === 'uniqueness' ? 'CONFLICT' : 'BAD_USER_INPUT', message);
    this.scimType = scimType;
  }
}

/** The error for requests that are too large. SCIM has no keyword for them. */
export const tooLarge = (message: string) => new ApiError('PAYLOAD_TOO_LARGE', message);
