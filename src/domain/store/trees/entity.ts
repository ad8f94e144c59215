import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, flag, hash, json, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

const PAGE_KINDS = ['root', 'document', 'group', 'link', 'computed'] as const;

/**
 * The fields of a page and the ordered hashes of its children. Immutable. Times and author are not part of the hash.
 */
export const PageNode = defineEntity({
  name: 'PageNode',
  tableName: 'page_node',
  properties: {
    organizationId: text().primary(),
    hash: hash().primary(),
    kind: p.enum(PAGE_KINDS),
    /** Null for the root. */
    pageId: text().nullable(),
    fields: json<Record<string, unknown>>(),
    documentHash: hash().nullable(),
    /** The Markdown that the body was written as. */
    sourceHash: hash().nullable(),
    children: p.array().columnType('bytea[]').$type<Buffer[]>().defaultRaw(`'{}'`),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    updatedBy: text().nullable(),
    organization: reference('Organization', 'organization_id'),
  },
  // Indexes of references in fields, for backlinks.
  indexes: [
    {
      name: 'page_node_target_index',
      expression: `create index "page_node_target_index" on "page_node"
        ("organization_id", left(coalesce("fields" #>> '{target,page}', "fields" #>> '{target,file}'), 200)) where "kind" = 'link'`,
    },
    {
      name: 'page_node_target_content_index',
      expression: `create index "page_node_target_content_index" on "page_node"
        ("organization_id", left("fields" #>> '{target,reusableContent}', 200)) where ("fields" #>> '{target,reusableContent}') is not null`,
    },
    {
      name: 'page_node_cover_index',
      expression: `create index "page_node_cover_index" on "page_node"
        ("organization_id", left("fields" #>> '{cover,ref,file}', 200)) where ("fields" #>> '{cover,ref,file}') is not null`,
    },
    {
      name: 'page_node_dark_cover_index',
      expression: `create index "page_node_dark_cover_index" on "page_node"
        ("organization_id", left("fields" #>> '{cover,refDark,file}', 200)) where ("fields" #>> '{cover,refDark,file}') is not null`,
    },
  ],
});

/** Head projection: the pages in the primary content of each space. */
export const HeadPage = defineEntity({
  name: 'HeadPage',
  tableName: 'head_page',
  properties: {
    spaceId: text().primary(),
    pageId: text().primary(),
    organizationId: text(),
    parentId: text().nullable(),
    /** Position among the siblings, from 0. */
    position: p.integer(),
    kind: p.enum(PAGE_KINDS),
    title: text(),
    /** The slugs of the ancestors and the page, joined by "/"; null for links. */
    path: text().nullable(),
    isHidden: flag(false),
    documentHash: hash().nullable(),
    nodeHash: hash(),
    space: reference('Space', 'space_id'),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [
    { name: 'head_page_parent_index', properties: ['spaceId', 'parentId', 'position'] },
    {
      // Paths may exceed the maximum size of an index entry, so their digest is indexed.
      name: 'head_page_path_index',
      expression: 'create index "head_page_path_index" on "head_page" ("space_id", md5("path"))',
    },
    { name: 'head_page_document_index', properties: ['organizationId', 'documentHash'] },
    { name: 'head_page_node_index', properties: ['organizationId', 'nodeHash'] },
    {
      name: 'head_page_computed_index',
      expression: `create index "head_page_computed_index" on "head_page" ("space_id", "page_id") where "kind" = 'computed'`,
    },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    page_node: Table<typeof PageNode>;
    head_page: Table<typeof HeadPage>;
  }
}
