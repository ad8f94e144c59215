export { type ChangeRequestRow, changeRequestFor } from './access.ts';
export { editableChangeRequest, holdForEdit, moveChangeRequestHead } from './edit-content.ts';
export { changeRequestName, getChangeRequest } from './get-change-request.ts';
export { loadChangeRequest } from './load.ts';
export { changeRequestShape, presentChangeRequest } from './present.ts';
