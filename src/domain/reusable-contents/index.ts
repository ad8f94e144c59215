export type { ReusableContentEntry } from './entry.ts';
export { presentReusableContent, reusableContentShape } from './present.ts';
export { reusableContentsOf } from './reusable-contents-of.ts';
export { type ReusableContentRow, readReusableContents, reusableContentBody, reusableContentsIn } from './row.ts';
