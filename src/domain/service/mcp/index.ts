export { tools } from './tools/index.ts';
