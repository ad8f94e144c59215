export { loadGrantedTeam, loadTeam, type TeamRow } from './load.ts';
export { team } from './resources.ts';
