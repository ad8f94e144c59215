import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, hash, json, jsonb, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

export const REVISION_TYPES = ['edits', 'merge', 'rollback', 'update', 'computed'] as const;

/** What the move of a space's head changed: numbers of pages, and which of the rest differ. */
export interface RevisionSummary {
  pages: { created: number; edited: number; moved: number; deleted: number };
  filesChanged: boolean;
  reusableContentsChanged: boolean;
  variablesChanged: boolean;
}

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
    /** Noted by the transaction that made it the head of its space; null for revisions that never were. */
    summary: json<RevisionSummary>().nullable(),
    git: jsonb<{ oid: string; message: string; createdByService: boolean; url?: string; ref?: string }>().nullable(),
    createdBy: text().nullable(),
    createdAt: createdTime(),
  },
  indexes: [
    { name: 'revision_organization_index', properties: ['organizationId', 'id'] },
    { name: 'revision_space_index', properties: ['spaceId', 'createdAt', 'id'] },
    { name: 'revision_change_request_index', properties: ['changeRequestId', 'createdAt', 'id'] },
    {
      name: 'revision_history_index',
      expression:
        'create index "revision_history_index" on "revision" ("space_id", "created_at", "id") where "change_request_id" is null',
    },
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

/**
 * Slugs that pages had in the head of a space and gave up, each with the parent that it was below: by these an old path still
 * leads to its page. One row for each page that was renamed, moved or deleted, none for what is below it.
 */
export const OldSlug = defineEntity({
  name: 'OldSlug',
  tableName: 'old_slug',
  properties: {
    spaceId: text().primary(),
    /** Empty at the top level. The parent may be gone by now. */
    parentId: text().primary(),
    slug: text().primary(),
    organizationId: text(),
    pageId: text(),
    changedAt: createdTime(),
  },
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    revision: Table<typeof Revision>;
    manifest_node: Table<typeof ManifestNode>;
    old_slug: Table<typeof OldSlug>;
  }
}
