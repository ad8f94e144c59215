export { editChangeRequest } from './edit-change-request.ts';
export { pageFields, pageTitle } from './page-members.ts';
export { reusableContentTitle } from './reusable-content-members.ts';
export { updateChangeRequestContent } from './update-change-request-content.ts';
export { updateSpaceContent } from './update-space-content.ts';
