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
export { readStructureUncached, type SiteItemRow, type SiteSpaceRow, Structure } from './structure.ts';
