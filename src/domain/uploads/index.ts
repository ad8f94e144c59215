export { MAX_UPLOAD_BYTES } from './limits.ts';
export { type UsableUpload, uploadFor } from './upload-for.ts';
export { uploadIdIn } from './upload-url.ts';
