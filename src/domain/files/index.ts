export {
  blobFacts,
  type DescribedBlob,
  describeBlob,
  describeIncoming,
  registerBlob,
  registerBlobs,
  renamedFile,
} from './blobs.ts';
export { downloadUrl } from './download-url.ts';
export type { BlobFacts, FileEntry } from './file-entry.ts';
export { fileName } from './file-name.ts';
export { type FileRow, fileIn, filesIn, readFiles } from './file-row.ts';
export { filesOf } from './files-of.ts';
export { fileShape, presentFile } from './present.ts';
