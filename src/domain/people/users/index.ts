export { displayName } from './display-name.ts';
export { domainOfEmail } from './domain-of-email.ts';
export { emailAddress } from './email-address.ts';
export { issueToken } from './issue-token.ts';
export { loadUser, type VisibleUser } from './load.ts';
export { user } from './resources.ts';
