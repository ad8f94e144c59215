import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, hash, json, jsonb, text } from '../../platform/database/columns.ts';
import type { Table } from '../../platform/database/tables.ts';

export const REVISION_TYPES = ['edits', 'merge', 'rollback', 'update', 'computed'] as const;

/** A state of a space's content. Immutable. Null manifests are empty ones. */
export const Revision = defineEntity({
  name: 'Revision',
  tableName: 'revision',
  properties: {
    id: text().primary(),
    organizationId: text(),
    spaceId: text(),
    type: p.enum(REVISION_TYPES).default('edits'),
    parents: p.array().columnType('text[]').defaultRaw(`'{}'`),
    rootHash: hash(),
    filesHash: hash().nullable(),
    reusableContentsHash: hash().nullable(),
    variablesHash: hash().nullable(),
    /** The change request that a `merge` brought in. */
    mergedFromId: text().nullable(),
    /** The change request that it was written in; null on the primary content. */
    changeRequestId: text().nullable(),
    git: jsonb<{ oid: string; message: string; createdByService: boolean; url?: string; ref?: string }>().nullable(),
    createdBy: text().nullable(),
    createdAt: createdTime(),
  },
  indexes: [
    { name: 'revision_space_index', properties: ['spaceId', 'createdAt', 'id'] },
    { name: 'revision_change_request_index', properties: ['changeRequestId', 'createdAt', 'id'] },
  ],
});

/** A node of the trie that holds a revision's files, reusable contents or variables. */
export const ManifestNode = defineEntity({
  name: 'ManifestNode',
  tableName: 'manifest_node',
  properties: {
    organizationId: text().primary(),
    hash: hash().primary(),
    body: json<unknown>(),
  },
});

declare module '../../platform/database/tables.ts' {
  interface Tables {
    revision: Table<typeof Revision>;
    manifest_node: Table<typeof ManifestNode>;
  }
}
