export { authorizeSite, loadSite, type SiteRow, siteFor, siteForChange } from './access.ts';
export { makeDefaultSection, makeDefaultSiteSpace } from './defaults.ts';
export { Site } from './entity.ts';
export { linkableSpaces, titleFrom } from './linked-spaces.ts';
export { site, siteIconShown } from './resources.ts';
export { MAX_SITE_SPACES, pathSegment, SEGMENT_RULE, shareKey, siteHostname, siteIcon, siteName } from './settings.ts';
export { makeSiteKey, newSiteKey, siteKeySecret } from './site-key.ts';
export { stateOfItems, stateOfLanguages } from './state-of-site.ts';
export {
  ADDRESS_COLUMNS,
  ADDRESS_JOINS,
  type AddressRow,
  addressOf,
  PREVIEW_PATH,
  previewUrl,
  publishedUrl,
  rootUrl,
  siteAddress,
  urlAt,
  urlBelow,
} from './urls.ts';
