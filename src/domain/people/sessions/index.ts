export {
  EMAIL_SIGN_IN_SECONDS,
  type EmailProof,
  isOwnLink,
  requestEmailSignIn,
  requestedAddress,
  startSessionByEmail,
} from './email-sign-in.ts';
export { endSession } from './end-session.ts';
export { makeSignInLink, SIGN_IN_LINK_PATH, startSessionWithLink } from './sign-in-links.ts';
export { type StartedSession, startSession } from './start-session.ts';
export { startSessionWithToken } from './start-session-with-token.ts';
