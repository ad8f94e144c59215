export { outlineOf } from './outline-of.ts';
