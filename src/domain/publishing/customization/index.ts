export type { Customization } from './customization.ts';
export { customizationOf, customizationOfSiteSpace, customizationsOf } from './read.ts';
export { shownItems } from './shown-parts.ts';
