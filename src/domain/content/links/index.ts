export { holderOf, type VersionedLocation } from './content-location.ts';
export { linksOf } from './links-of.ts';
export { listChangeRequestLinks, listSpaceLinks } from './list-links.ts';
export { presentLocation, registerSpecTargets } from './present-location.ts';
export { locationShape } from './shapes.ts';
export { headVersion, type LocationKind, linkVersion, type Version } from './versions.ts';
