export { isProvisioned, provisionedAccount } from './provisioned-account.ts';
