export { MAX_UPLOAD_BYTES } from './limits.ts';
export { localFileOf, uploadFor } from './upload-for.ts';
export { uploadIdIn } from './upload-url.ts';
