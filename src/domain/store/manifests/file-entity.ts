import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, hash, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** Stored bytes by their SHA-256, which is also their key in storage. The media type is detected from the bytes. */
export const Blob = defineEntity({
  name: 'Blob',
  tableName: 'blob',
  properties: {
    organizationId: text().primary(),
    hash: hash().primary(),
    size: p.bigint('number'),
    contentType: text(),
    width: p.integer().nullable(),
    height: p.integer().nullable(),
    createdAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [{ name: 'blob_hash_index', properties: ['hash'] }],
});

/** Head projection: the files in the primary content of each space. */
export const HeadFile = defineEntity({
  name: 'HeadFile',
  tableName: 'head_file',
  properties: {
    spaceId: text().primary(),
    /**
     * Uses the C collation, because the same cursors page through the entries of manifests, which are in byte order.
     */
    fileId: text().collation('C').primary(),
    organizationId: text(),
    name: text(),
    blobHash: hash(),
    contentType: text(),
    size: p.bigint('number'),
    width: p.integer().nullable(),
    height: p.integer().nullable(),
    space: reference('Space', 'space_id'),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [{ name: 'head_file_blob_index', properties: ['organizationId', 'blobHash'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    blob: Table<typeof Blob>;
    head_file: Table<typeof HeadFile>;
  }
}
