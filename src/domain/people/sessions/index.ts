export { endSession } from './end-session.ts';
export { type StartedSession, startSession } from './start-session.ts';
export { startSessionWithToken } from './start-session-with-token.ts';
