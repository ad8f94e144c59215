/** A table of content addressed by `(organization_id, hash)`. */
export interface ContentTable {
  name: 'page_node' | 'document' | 'manifest_node' | 'blob';
  /** A row is reachable by a mark of any of these kinds. */
  kinds: readonly string[];
  /** Tables with rows of its own, by `(organization_id, document_hash)`. */
  details: readonly string[];
  /** Whether a row says when it was written: those that are young are left alone. */
  hasTime: boolean;
}

/** Everything that is collected, with what refers before what is referred to. */
export const CONTENT_TABLES: readonly ContentTable[] = [
  { name: 'page_node', kinds: ['page'], details: [], hasTime: false },
  { name: 'manifest_node', kinds: ['files', 'contents', 'variables'], details: [], hasTime: false },
  { name: 'document', kinds: ['document'], details: ['document_section', 'document_reference'], hasTime: true },
  { name: 'blob', kinds: ['blob'], details: [], hasTime: true },
];

/**
 * Columns outside content that hold a hash of it. The first are the roots, each with the kind of what it names; the others
 * are projections of what a revision reaches.
 */
export const ROOTS = {
  'revision.root_hash': 'page',
  'revision.files_hash': 'files',
  'revision.reusable_contents_hash': 'contents',
  'revision.variables_hash': 'variables',
  'upload.blob_hash': 'blob',
} as const;

export const PROJECTED = [
  'head_page.document_hash',
  'head_page.node_hash',
  'head_file.blob_hash',
  'head_reusable_content.document_hash',
  'search_page.node_hash',
];
