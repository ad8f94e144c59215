import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, hash, json, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** A rich-text body, with its Markdown. Immutable, addressed by the SHA-256 of its canonical JSON. */
export const Document = defineEntity({
  name: 'Document',
  tableName: 'document',
  properties: {
    organizationId: text().primary(),
    hash: hash().primary(),
    body: json<unknown>(),
    markdown: text(),
    createdAt: createdTime(),
  },
});

/** The plain text between two headings of a document: what search reads. */
export const DocumentSection = defineEntity({
  name: 'DocumentSection',
  tableName: 'document_section',
  properties: {
    organizationId: text().primary(),
    documentHash: hash().primary(),
    position: p.integer().primary(),
    /** The heading's anchor; null before the first heading. */
    anchor: text().nullable(),
    title: text().nullable(),
    body: text(),
  },
});

/** A content reference in a document: what links and backlinks read. */
export const DocumentReference = defineEntity({
  name: 'DocumentReference',
  tableName: 'document_reference',
  properties: {
    organizationId: text().primary(),
    documentHash: hash().primary(),
    position: p.integer().primary(),
    kind: text(),
    relation: p.enum(['reference', 'dependsOn'] as const).default('reference'),
    /** Id of the page, file, space … that is named; null where the kind has none (a URL, an anchor of the same page). */
    targetId: text().nullable(),
    /** The space named, when it is another one. */
    targetSpaceId: text().nullable(),
    /** Key of the top-level block that holds it. */
    blockKey: text().nullable(),
    ref: json<unknown>(),
  },
  indexes: [{ name: 'document_reference_target_index', properties: ['organizationId', 'targetId'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    document: Table<typeof Document>;
    document_section: Table<typeof DocumentSection>;
    document_reference: Table<typeof DocumentReference>;
  }
}
