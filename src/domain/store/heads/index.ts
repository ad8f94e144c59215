export { baseFor } from './base-for.ts';
export { lockContentShared, tryLockContentExclusive } from './content-lock.ts';
export { createContent, duplicateContent } from './create-content.ts';
export { moveHead } from './move-head.ts';
export { type ContentTransfer, transferContent } from './transfer-content.ts';
