export { listSsoLogins, type SsoLogin } from './list-sso-logins.ts';
export { INSTANCE } from './oidc/instance-provider.ts';
export { startUrlOf } from './start-url.ts';
