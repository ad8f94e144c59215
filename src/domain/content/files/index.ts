export {
  blobFacts,
  type DescribedBlob,
  describeBlob,
  describeIncoming,
  registerBlobs,
  renamedFile,
} from './blobs.ts';
export { downloadParts, downloadUrl, isDownload } from './download-url.ts';
export { fileName } from './file-name.ts';
export { fileShape, presentFile } from './present.ts';
export { file } from './resources.ts';
