import type { FieldMaker } from '../../../platform/resource/make-fields.ts';

interface Token {
  label: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

/** Fields of an access token, of a user or of SCIM. */
export const tokenFields = <Row extends Token>(f: FieldMaker<Row>) => ({
  label: f.string('Label of the token, up to 50 characters.', ({ label }) => label),
  createdAt: f.time('Time when the token was created.', ({ createdAt }) => createdAt),
  expiresAt: f.time.optional(
    'Time when the token expires. Null if the token is valid until it is revoked.',
    ({ expiresAt }) => expiresAt,
  ),
  lastUsedAt: f.time.optional(
    'Time when the token was last used, accurate to the minute. Null if it was never used.',
    ({ lastUsedAt }) => lastUsedAt,
  ),
});
