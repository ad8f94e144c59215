export { loadEvent } from './load.ts';
export { presentEvent } from './present.ts';
