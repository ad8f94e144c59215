export type { Customization } from './customization.ts';
export { customizationOf, customizationOfSiteSpace, customizationsOf } from './read.ts';
