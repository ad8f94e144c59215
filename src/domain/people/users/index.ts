export { issueToken } from './issue-token.ts';
export { loadUser, type VisibleUser } from './load.ts';
export { user } from './resources.ts';
