export { createApiToken } from './create-api-token.ts';
export { displayName } from './display-name.ts';
export { domainOfEmail } from './domain-of-email.ts';
export { emailAddress } from './email-address.ts';
export { issueToken } from './issue-token.ts';
export { listApiTokens } from './list-api-tokens.ts';
export { emailOf, loadUser, userIn, userOfColumn, type VisibleUser } from './load.ts';
export { user } from './resources.ts';
export { revokeApiToken } from './revoke-api-token.ts';
