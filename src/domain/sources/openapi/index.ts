export { openApiBlocks } from './openapi-blocks.ts';
export { openApiPages } from './openapi-pages.ts';
