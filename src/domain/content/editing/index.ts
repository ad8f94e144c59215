export { authorizeEdit, editChangeRequest } from './edit-change-request.ts';
export { pageFields, pageTitle } from './page-members.ts';
export { reusableContentTitle } from './reusable-content-members.ts';
