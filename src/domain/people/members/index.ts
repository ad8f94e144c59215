export type { MemberRow } from './load.ts';
export { member } from './resources.ts';
