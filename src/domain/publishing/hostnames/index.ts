export { isVerifiedHostname, siteAtHostname } from './site-at-hostname.ts';
