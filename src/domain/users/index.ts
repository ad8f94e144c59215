export { type ApiTokenRow, issueToken } from './issue-token.ts';
export { loadUser, userFor, type VisibleUser } from './load.ts';
export { presentUser, userShape } from './present.ts';
