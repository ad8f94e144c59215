/** How a source is read: `auto` finds out by what is in it, `zip` does for archives. */
export type SourceKind = 'auto' | 'zip' | 'markdown' | 'html' | 'docx' | 'confluence' | 'github-wiki' | 'notion';

/** A file that was given, or a folder. */
export interface GivenFile {
  path: string;
  name: string;
}
