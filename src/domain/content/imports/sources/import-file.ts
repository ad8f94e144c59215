/** How a source is read. `auto` detects the type by the content, `zip` does so for archives only. */
export type SourceKind = 'auto' | 'zip' | 'markdown' | 'html' | 'docx' | 'confluence' | 'github-wiki' | 'notion';

/** A file or folder to import. */
export interface ImportFile {
  path: string;
  name: string;
}
