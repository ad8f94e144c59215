import { defineEntity, p } from '@mikro-orm/core';
import type { Use } from '../../../lib/document/uses.ts';
import { createdTime, hash, json, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** A rich text body with its Markdown. Immutable; its key is the SHA-256 of its canonical JSON. */
export const Document = defineEntity({
  name: 'Document',
  tableName: 'document',
  properties: {
    organizationId: text().primary(),
    hash: hash().primary(),
    body: json<unknown>(),
    markdown: text(),
    /** All anchors that links may use, present and former. */
    anchors: p.array().columnType('text[]').defaultRaw(`'{}'`),
    /**
     * Objects that the body uses, see `Use`. Null until it is derived from a body that earlier rules were applied to.
     */
    uses: json<Use[]>().nullable(),
    /** Version of the rules by which Markdown, anchors, sections, references and uses were derived from the body. */
    derivedVersion: p.integer().default(0),
    createdAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [{ name: 'document_derived_version_index', properties: ['derivedVersion'] }],
});

/**
 * The Markdown that a body was written as, for editors and exports. Immutable; its key is the SHA-256 of the canonical
 * JSON of its content.
 */
export const SourceText = defineEntity({
  name: 'SourceText',
  tableName: 'source_text',
  properties: {
    organizationId: text().primary(),
    hash: hash().primary(),
    /** Text before the body in its file: front matter, and a heading that is the title of the page. */
    head: text(),
    body: text(),
    /** Hash of the document that the body was read as. */
    document: text(),
    /** Targets of URLs in the body when it was written, see `SourceLink`. */
    links: json<unknown>(),
    createdAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
});

/** The plain text between two headings of a document, which search reads. */
export const DocumentSection = defineEntity({
  name: 'DocumentSection',
  tableName: 'document_section',
  properties: {
    organizationId: text().primary(),
    documentHash: hash().primary(),
    position: p.integer().primary(),
    /** Anchor of the heading; null before the first heading. */
    anchor: text().nullable(),
    title: text().nullable(),
    body: text(),
    organization: reference('Organization', 'organization_id'),
  },
});

/** A content reference in a document, which links and backlinks are read from. */
export const DocumentReference = defineEntity({
  name: 'DocumentReference',
  tableName: 'document_reference',
  properties: {
    organizationId: text().primary(),
    documentHash: hash().primary(),
    position: p.integer().primary(),
    kind: text(),
    relation: p.enum(['reference', 'dependsOn'] as const).default('reference'),
    /** Id of the page, file, space or other target; null for kinds without one (a URL, an anchor on the same page). */
    targetId: text().nullable(),
    /** Id of the space of the target, if it is another one. */
    targetSpaceId: text().nullable(),
    /** Key of the top-level block that contains the reference. */
    blockKey: text().nullable(),
    /** The reference. Of a block that shows an operation, also its `operation`. */
    ref: json<unknown>(),
    organization: reference('Organization', 'organization_id'),
    targetSpace: reference('Space', 'target_space_id').nullable(),
  },
  indexes: [
    { name: 'document_reference_target_index', properties: ['organizationId', 'targetId'] },
    {
      name: 'document_reference_anchor_index',
      expression: `create index "document_reference_anchor_index" on "document_reference" ("organization_id", "target_id") where "kind" = 'anchor'`,
    },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    document: Table<typeof Document>;
    source_text: Table<typeof SourceText>;
    document_section: Table<typeof DocumentSection>;
    document_reference: Table<typeof DocumentReference>;
  }
}
