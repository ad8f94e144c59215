import { z } from 'zod';
import manifest from '../../../../package.json' with { type: 'json' };
import { query } from '../../../platform/operation/operation.ts';

/** Version of the service. */
export interface ApiInformation {
  /** SemVer. */
  version: string;
  /** `source` if the service runs from a checkout. */
  build: string;
}

const INFORMATION: ApiInformation = { version: manifest.version, build: 'source' };

export const getApiInformation = query({
  name: 'getApiInformation',
  description: 'Gets the version of the service. Requires no token.',
  openToAnonymous: true,
  input: z.object({}),
  run: async () => INFORMATION,
});
