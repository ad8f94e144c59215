export { openApiBlocks } from './openapi-blocks.ts';
export { openApiPages } from './openapi-pages.ts';
export { presentVisibleSpec } from './spec-targets.ts';
