import { resource } from '../../../platform/resource/resource.ts';
import type { ApiInformation } from './get-api-information.ts';

export const apiInformation = resource<ApiInformation>(
  { name: 'ApiInformation', description: 'Version of the service.' },
  (f) => ({
    version: f.string('Version of the service (SemVer).', ({ version }) => version),
    build: f.string(
      'Build of the version, or `source` if the service runs from a source checkout.',
      ({ build }) => build,
    ),
  }),
);
