export { issueToken } from './issue-token.ts';
export { loadUser, type VisibleUser } from './load.ts';
export { presentUser, userShape } from './present.ts';
export { user } from './resources.ts';
