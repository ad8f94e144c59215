export type { Customization } from './customization.ts';
export { customizationOf, customizationOfSiteSpace } from './read.ts';
