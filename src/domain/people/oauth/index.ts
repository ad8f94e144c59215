export { oauthGrantsHtml } from './account-section.ts';
export { endGrantsOfProvider } from './end-grant.ts';
export { revokeOAuthGrant } from './revoke-oauth-grant.ts';
