export type { MemberRow } from './load.ts';
export { memberShape, presentMember } from './present.ts';
export { member } from './resources.ts';
