import { randomBytes } from 'node:crypto';
import { hashToken } from '../../../platform/access/credentials.ts';
import type { Services } from '../../../platform/context/services.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { storedSecret } from '../../../platform/secret-key/stored-secret.ts';

/** Secrets of links that accept invitations. */
export const inviteSecret = storedSecret({
  table: 'email_invite',
  column: 'secret',
  key: { id: 'id' },
  place: ({ id }) => `email_invite ${id}`,
  plural: 'links of invitations',
  name: 'link of the invitation',
  remedy: 'Invite the address again.',
});

/** A new secret of an invitation, encrypted and hashed. */
export function newInviteSecret(
  services: Pick<Services, 'secretKeys'>,
  id: string,
): Pick<Row<'email_invite'>, 'secret' | 'secretHash'> {
  const secret = randomBytes(32).toString('base64url');
  return { secretHash: hashToken(secret), secret: inviteSecret.encrypt(services, { id }, secret) };
}
