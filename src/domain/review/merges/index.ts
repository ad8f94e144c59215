export { mergeabilityOf } from './mergeability.ts';
export { mergeability } from './resources.ts';
