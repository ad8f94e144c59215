export { countProofEmail } from './count-proof-email.ts';
export {
  type EmailProof,
  isOwnLink,
  requestEmailSignIn,
  requestedAddress,
  startSessionByEmail,
} from './email-sign-in.ts';
export { endProviderSessions, endSessionsOfProvider } from './end-provider-sessions.ts';
export { endSession } from './end-session.ts';
export { listSessions } from './list-sessions.ts';
export type { SessionRow } from './load-session.ts';
export { type RestoreAccess, restoreAccess } from './restore-access.ts';
export { makeSignInLink, SIGN_IN_LINK_PATH, startSessionWithLink } from './sign-in-links.ts';
export { signOut } from './sign-out.ts';
export { type StartedSession, startSession } from './start-session.ts';
export { startSessionWithToken } from './start-session-with-token.ts';
