export { type PreviewedVersion, type VersionedPath, versionIn } from './previewed-version.ts';
