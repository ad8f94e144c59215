export { forgetSubjects } from './forget-subjects.ts';
export { isProvisioned, managedAccount, provisionedAccount } from './provisioned-account.ts';
