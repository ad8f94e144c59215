export { loadTeam } from './load.ts';
export { team } from './resources.ts';
