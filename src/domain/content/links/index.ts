export { holderOf, type VersionedLocation } from './content-location.ts';
export { presentLocation } from './present-location.ts';
export { locationShape } from './shapes.ts';
export { registerSpecTargets } from './spec-targets.ts';
export { headVersion, type LocationKind } from './versions.ts';
