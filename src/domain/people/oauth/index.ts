export { oauthGrantsHtml } from './account-section.ts';
export { endGrantsOfProvider, endSsoGrantsOf } from './end-grant.ts';
export { removeSpacesFromGrants } from './remove-spaces-from-grants.ts';
export { revokeOAuthGrant } from './revoke-oauth-grant.ts';
