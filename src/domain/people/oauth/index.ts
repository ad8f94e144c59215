export { oauthGrantsHtml } from './account-section.ts';
