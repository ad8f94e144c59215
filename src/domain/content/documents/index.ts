export { documentShape } from './shape.ts';
