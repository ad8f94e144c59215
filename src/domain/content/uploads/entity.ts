import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, hash, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** A file that a user uploads for a later operation of the same user, within a day. */
export const Upload = defineEntity({
  name: 'Upload',
  tableName: 'upload',
  properties: {
    id: text().primary(),
    organizationId: text(),
    userId: text(),
    /** Null until the file has been received. */
    blobHash: hash().nullable(),
    /** Size in bytes. Null until the file has been received. */
    size: p.bigint('number').nullable(),
    /** Bytes reserved in the quota for requests that are currently sending the file. */
    pendingBytes: p.bigint('number').defaultRaw('0'),
    name: text().nullable(),
    /** The grant of the application that created it, if that is limited to spaces. It can use no others. */
    oauthGrantId: text().nullable(),
    createdAt: createdTime(),
    expiresAt: time(),
    organization: reference('Organization', 'organization_id'),
    user: reference('User', 'user_id'),
    oauthGrant: reference('OAuthGrant', 'oauth_grant_id').nullable(),
  },
  indexes: [
    { name: 'upload_expiry_index', properties: ['expiresAt'] },
    { name: 'upload_blob_index', properties: ['blobHash'] },
    { name: 'upload_owner_index', properties: ['organizationId', 'userId', 'expiresAt'] },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    upload: Table<typeof Upload>;
  }
}
