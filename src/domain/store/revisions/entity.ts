import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, hash, json, jsonb, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

const REVISION_TYPES = ['edits', 'merge', 'rollback', 'update', 'computed'] as const;

/** Changes of a move of a space's head: the number of changed pages, and whether other content changed. */
export interface RevisionSummary {
  pages: { created: number; edited: number; moved: number; deleted: number };
  filesChanged: boolean;
  reusableContentsChanged: boolean;
  variablesChanged: boolean;
}

/** An immutable state of a space's content. A null manifest is empty. */
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
    tagsHash: hash().nullable(),
    /** The change request that a `merge` merged. */
    mergedFromId: text().nullable(),
    /** The change request that the revision belongs to; null for the primary content. */
    changeRequestId: text().nullable(),
    /**
     * Written by the transaction that made the revision the head of its space; null for revisions that never were the
     * head.
     */
    summary: json<RevisionSummary>().nullable(),
    git: jsonb<{ oid: string; message: string; createdByService: boolean; url?: string; ref?: string }>().nullable(),
    createdBy: text().nullable(),
    createdAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
    space: reference('Space', 'space_id'),
    mergedFrom: reference('ChangeRequest', 'merged_from_id').nullable(),
    changeRequest: reference('ChangeRequest', 'change_request_id').nullable(),
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

/** A node of the trie that stores the files, reusable contents, variables or tags of a revision. */
export const ManifestNode = defineEntity({
  name: 'ManifestNode',
  tableName: 'manifest_node',
  properties: {
    organizationId: text().primary(),
    hash: hash().primary(),
    body: json<unknown>(),
    organization: reference('Organization', 'organization_id'),
  },
});

/**
 * Former slugs of pages in the head of a space, with their parent at that time, so that old paths still lead to their
 * pages. Each renamed, moved or deleted page has a row; the pages below it have none. Rows of redirects that were
 * imported with `.gitbook.yaml` have a whole path as their slug, and no parent.
 */
export const OldSlug = defineEntity({
  name: 'OldSlug',
  tableName: 'old_slug',
  properties: {
    spaceId: text().primary(),
    /** Empty at the top level. The parent may have been deleted. */
    parentId: text().primary(),
    slug: text().primary(),
    organizationId: text(),
    pageId: text(),
    changedAt: createdTime(),
    space: reference('Space', 'space_id'),
    organization: reference('Organization', 'organization_id'),
  },
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    revision: Table<typeof Revision>;
    manifest_node: Table<typeof ManifestNode>;
    old_slug: Table<typeof OldSlug>;
  }
}
