export { holderOf, type VersionedLocation } from './content-location.ts';
export { linksOf } from './links-of.ts';
export { listChangeRequestLinks, listSpaceLinks } from './list-links.ts';
export { presentLocation } from './present-location.ts';
export { locationShape } from './shapes.ts';
export { registerSpecTargets } from './spec-targets.ts';
export { headVersion, type LocationKind, type Version, versionOf } from './versions.ts';
