export { oauthGrantsHtml } from './account-section.ts';
export { revokeOAuthGrant } from './revoke-oauth-grant.ts';
