import { webAddress } from '../../../platform/shapes/web-address.ts';

export const embeddable = webAddress().describe('Absolute URL with `http` or `https` on the public internet.');
