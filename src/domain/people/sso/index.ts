export { listSsoLogins, type SsoLogin } from './list-sso-logins.ts';
export { startUrlOf } from './start-url.ts';
