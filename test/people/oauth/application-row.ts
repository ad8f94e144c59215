import { hash, randomBytes } from 'node:crypto';
import type { Services } from '../../../src/platform/context/services.ts';
import { newId } from '../../../src/platform/ids/ids.ts';

const SCOPES = ['read', 'comment', 'propose', 'write', 'merge', 'publish', 'admin'] as const;

/** What a grant has besides its client. */
interface Granted {
  userId: string;
  organizationIds?: string[];
  spaceIds?: string[];
}

/**
 * Writes the grant of an application with all scopes, as a person would have given it in a browser, and an access
 * token. Its last use is in the future, so that no request writes it.
 */
export async function tokenOfApplication({ db, config }: Services, granted: Granted): Promise<string> {
  const [grantId, token] = [newId('oauthgrant'), randomBytes(32).toString('base64url')];
  const expiresAt = '2999-01-01T00:00:00.000Z';
  const client = { clientId: 'client', clientName: 'Robot', redirectTo: '127.0.0.1' };
  await db
    .insertInto('oauth_grant')
    .values({
      id: grantId,
      ...client,
      ...granted,
      scopes: [...SCOPES],
      resources: [],
      lastUsedAt: expiresAt,
      expiresAt,
    })
    .execute();
  const record = { type: 'AccessToken', idHash: hash('sha256', token), grantId, payload: Buffer.alloc(0) };
  await db
    .insertInto('oauth_record')
    .values({ ...record, scopes: [...SCOPES], audience: config.publicUrl, expiresAt })
    .execute();
  return token;
}
