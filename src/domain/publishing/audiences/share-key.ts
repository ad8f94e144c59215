import { hash, randomBytes } from 'node:crypto';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { storedSecret } from '../../../platform/secret-key/stored-secret.ts';

/** Keys of share links. */
export const shareKeySecret = storedSecret({
  table: 'share_link',
  column: 'key',
  key: { id: 'id' },
  place: ({ id }) => `share_link ${id}`,
  plural: 'keys of share links',
  name: 'key of the share link',
  remedy: 'Revoke the link and create another one.',
});

/** The form that keys are found by. */
export const hashShareKey = (key: string) => hash('sha256', `share key ${key}`, 'buffer');

/** A new key with 128 random bits, encrypted and hashed. */
export function newShareKey(ctx: Context, id: string): Pick<Row<'share_link'>, 'key' | 'keyHash'> {
  const key = randomBytes(16).toString('base64url');
  return { key: shareKeySecret.encrypt(ctx.services, { id }, key), keyHash: hashShareKey(key) };
}

/** The key of a link, for admins of its site. Null if it cannot be read. */
export const shareKeyOf = ({ services }: Context, { id, key }: Pick<Row<'share_link'>, 'id' | 'key'>): string | null =>
  shareKeySecret.find(services, { id }, key) ?? null;
