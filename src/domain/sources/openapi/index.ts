export { openApiBlocks } from './pages/openapi-blocks.ts';
export { openApiPages } from './pages/openapi-pages.ts';
export { presentVisibleSpec } from './spec-targets.ts';
