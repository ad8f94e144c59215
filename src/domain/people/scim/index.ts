export { forgetSubjects } from './forget-subjects.ts';
export { managedAccount, provisionedAccount } from './provisioned-account.ts';
