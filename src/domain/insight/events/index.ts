export { loadEvent } from './load.ts';
export { event } from './resources.ts';
