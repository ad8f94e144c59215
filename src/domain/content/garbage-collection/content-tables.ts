/** A table of content with the key `(organization_id, hash)`. */
export interface ContentTable {
  name: 'page_node' | 'document' | 'source_text' | 'manifest_node' | 'blob';
  /** Marks of any of these kinds make a row reachable. */
  kinds: readonly string[];
  /** Tables with further rows per row, by `(organization_id, document_hash)`. */
  details: readonly string[];
  /** Whether rows have a creation time. Young rows are kept. */
  hasTime: boolean;
}

/** All tables that are collected, ordered so that rows are deleted before the rows they refer to. */
export const CONTENT_TABLES: readonly ContentTable[] = [
  { name: 'page_node', kinds: ['page'], details: [], hasTime: false },
  { name: 'manifest_node', kinds: ['files', 'contents', 'variables', 'tags'], details: [], hasTime: false },
  { name: 'document', kinds: ['document'], details: ['document_section', 'document_reference'], hasTime: true },
  { name: 'source_text', kinds: ['source'], details: [], hasTime: true },
  { name: 'blob', kinds: ['blob'], details: [], hasTime: true },
];

/** Columns outside of content tables that contain hashes of content. These are the roots, with the kind of content. */
export const ROOTS = {
  'revision.root_hash': 'page',
  'revision.files_hash': 'files',
  'revision.reusable_contents_hash': 'contents',
  'revision.variables_hash': 'variables',
  'revision.tags_hash': 'tags',
  'upload.blob_hash': 'blob',
} as const;

export const PROJECTED = [
  'head_page.document_hash',
  'head_page.node_hash',
  'head_file.blob_hash',
  'head_reusable_content.document_hash',
  'head_reusable_content.source_hash',
  'search_page.node_hash',
  'translation_page.document_hash',
  'translation_page.source_document_hash',
];
