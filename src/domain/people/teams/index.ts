export { rejectNonMembers } from './access.ts';
export { insertTeam, teamTitle } from './create-team.ts';
export { endTeam } from './delete-team.ts';
export { Team } from './entity.ts';
export { loadGrantedTeam, loadTeam, type TeamRow } from './load.ts';
export { team } from './resources.ts';
export { renameTeam } from './update-team.ts';
export { deleteMembers, noteGroupChanges, upsertMembers } from './write-members.ts';
