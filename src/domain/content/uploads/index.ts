export { MAX_UPLOAD_BYTES } from './limits.ts';
export { uploadFor } from './upload-for.ts';
export { uploadIdIn } from './upload-url.ts';
