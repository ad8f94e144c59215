export { loadEvent } from './load.ts';
