export { computedContents } from './computed-contents.ts';
export type { BlobFacts, FileEntry } from './file-entry.ts';
export { type FileRow, fileIn, filesIn, readFiles } from './file-row.ts';
export { filesAmong, filesOf } from './files-of.ts';
export { manifestLoader, manifestSource, writeManifestNodes } from './manifest-source.ts';
export { projectFiles } from './project-files.ts';
export { compareManifests, type ManifestEdits, projectManifests } from './project-manifests.ts';
export type { ReusableContentEntry } from './reusable-content-entry.ts';
export {
  type ReusableContentRow,
  type RevisionOfContents,
  readReusableContents,
  reusableContentBody,
  reusableContentsIn,
} from './reusable-content-row.ts';
export { reusableContentsAmong, reusableContentsOf } from './reusable-contents-of.ts';
export type { TagEntry } from './tag-entry.ts';
export { tagsOf } from './tags-of.ts';
export type { VariableEntry } from './variable-entry.ts';
export { variablesOf } from './variables-of.ts';
