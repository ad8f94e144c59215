export { matchRedirect } from './match-redirect.ts';
