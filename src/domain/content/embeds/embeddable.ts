import { webAddress } from '../../../platform/web-address.ts';

export const embeddable = webAddress().describe(
  'The address: absolute, with `http` or `https`, of the public internet.',
);
