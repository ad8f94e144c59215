import { idOf } from '../../../platform/operation/operation.ts';

/** Input that names a translation. */
export const translationName = {
  translationId: idOf('translation'),
  organizationId: idOf('org').nullish().describe('ID of the organization of the translation. Any by default.'),
};
