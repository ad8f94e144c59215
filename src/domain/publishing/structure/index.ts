export type { SiteItemRow, SiteNavigation, SiteSpaceRow } from '../navigation/index.ts';
export { loadSiteSection, loadSiteSpace, structureFor } from '../navigation/index.ts';
export { authorizeItem, editSiteOf, siteSpaceIn, visibleIn } from './editing.ts';
export { defaultOf, type LocatedSiteSpace, locateSiteSpace, pathSegments } from './locate.ts';
export { removeFromSites } from './remove-site-space.ts';
export {
  presentStructure,
  siteSection,
  siteSpace,
  structureShape,
  urlPathIn,
  urlPathOf,
  urlPathOfSection,
} from './resources.ts';
export { siteArguments as ofSite, siteSpaceId } from './settings.ts';
export { publishedUrlsOfSpaces } from './space-urls.ts';
