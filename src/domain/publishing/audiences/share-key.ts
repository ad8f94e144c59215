import { hash, randomBytes } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { decryptSecret, encryptSecret } from '../../../platform/secrets.ts';

const placeOfLink = (id: string) => `share_link ${id}`;

/** The form that keys are found by. */
export const hashShareKey = (key: string) => hash('sha256', `share key ${key}`, 'buffer');

/** A new key with 128 random bits, encrypted and hashed. */
export function newShareKey(ctx: Context, id: string): Pick<Row<'share_link'>, 'key' | 'keyHash'> {
  const key = randomBytes(16).toString('base64url');
  return { key: encryptSecret(ctx.services.secretKey, placeOfLink(id), key), keyHash: hashShareKey(key) };
}

/** The key of a link, for admins of its site. */
export const shareKeyOf = (ctx: Context, { id, key }: Pick<Row<'share_link'>, 'id' | 'key'>) =>
  decryptSecret(ctx.services.secretKey, placeOfLink(id), key);
