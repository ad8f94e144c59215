import { z } from 'zod';
import manifest from '../../../../package.json' with { type: 'json' };
import { query } from '../../../platform/operation.ts';

/** Which service answers. */
export interface ApiInformation {
  /** Release of the service (SemVer). */
  version: string;
  /** What the release was made into; `source` when it runs from a checkout. */
  build: string;
}

const INFORMATION: ApiInformation = { version: manifest.version, build: 'source' };

export const getApiInformation = query({
  name: 'getApiInformation',
  description: 'Which release of the service answers. Needs no token.',
  openToAnonymous: true,
  input: z.object({}),
  run: async () => INFORMATION,
});
