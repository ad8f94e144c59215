export { SiteItem, SiteSpace } from './entity.ts';
export {
  loadSiteExternalLink,
  loadSiteItem,
  loadSiteSection,
  loadSiteSectionGroup,
  loadSiteSpace,
  loadSpacesOf,
  structureFor,
  visibleStructure,
} from './load.ts';
export { readStructureUncached, type SiteItemRow, SiteNavigation, type SiteSpaceRow } from './site-tree.ts';
