export { getDocument } from './get-document.ts';
export { documentShape } from './shape.ts';
