export { oauthGrantsHtml } from './account-section.ts';
export { endGrantsOfProvider, endSsoGrantsOf } from './end-grant.ts';
export { revokeOAuthGrant } from './revoke-oauth-grant.ts';
export { takeSpacesFromGrants } from './take-spaces.ts';
