export {
  authorizeChangeRequest,
  type ChangeRequestRow,
  changeRequestFor,
  isChangeRequestNamed,
} from './access.ts';
export { createChangeRequest } from './create-change-request.ts';
export { changeRequestStatusFilter } from './enums.ts';
export { changeRequestName, getChangeRequest } from './get-change-request.ts';
export { latestUpdateFirst } from './list-change-requests.ts';
export { loadChangeRequest, loadChangeRequestByNumber } from './load.ts';
export {
  type ChangeRequestName,
  editableChangeRequest,
  lockChangeRequest,
  lockForEdit,
  moveChangeRequestHead,
} from './lock-change-request.ts';
export { headIdOf, isOutdated } from './outdated.ts';
export { changeRequest } from './resources.ts';
export { shownRevisionType } from './revision-type.ts';
export { updateChangeRequest } from './update-change-request.ts';
export { descriptionFromRest, updateBody } from './update-from-rest.ts';
