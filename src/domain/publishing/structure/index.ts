export { authorizeItem, editSiteOf, siteSpaceIn, visibleIn } from './editing.ts';
export { loadSiteSpace, structureFor } from './load.ts';
export { type Located, locate, segmentsOf } from './locate.ts';
export { presentStructure, siteSpace, structureShape } from './resources.ts';
export { ofSite, siteSpaceId } from './settings.ts';
export type { SiteItemRow, SiteSpaceRow, Structure } from './structure.ts';
