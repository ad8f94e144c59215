import { ApiError, type ApiErrorCode } from './errors.ts';

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

const CODES: Partial<Record<ScimType, ApiErrorCode>> = { uniqueness: 'CONFLICT', tooMany: 'PAYLOAD_TOO_LARGE' };

/** An error that is returned to a client of SCIM with its keyword. Its status is 400, but 409 or 413 where SCIM says so. */
export class ScimError extends ApiError {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, message: string) {
    super(CODES[scimType] ?? 'BAD_USER_INPUT', message);
    this.scimType = scimType;
  }
}
