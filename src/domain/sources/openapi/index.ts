export { openApiPages } from './openapi-pages.ts';
