export { computedContents } from './computed-contents.ts';
export { type BlobFacts, type FileEntry, type FileRow, fileIn, filesIn, readFiles } from './file-row.ts';
export { filesAmong, filesOf } from './files-of.ts';
export { type LimitedEntries, tooMany, tooManyIn } from './limits.ts';
export { manifestLoader, manifestSource, writeManifestNodes } from './manifest-source.ts';
export { projectFiles } from './project-files.ts';
export { compareManifests, type ManifestEdits, projectManifests } from './project-manifests.ts';
export {
  type ReusableContentEntry,
  type ReusableContentRow,
  type RevisionOfContents,
  readReusableContents,
  reusableContentBody,
  reusableContentsIn,
} from './reusable-content-row.ts';
export { reusableContentsAmong, reusableContentsOf } from './reusable-contents-of.ts';
export { type TagEntry, tagsOf } from './tags.ts';
export { type VariableEntry, variablesOf } from './variables.ts';
