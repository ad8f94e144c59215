export { mergeabilityOf } from './mergeability.ts';
