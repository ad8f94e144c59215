export { listSsoLogins, type SsoLogin } from './list-sso-logins.ts';
export { serviceOf } from './service-provider.ts';
