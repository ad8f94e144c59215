export { removeExpiredInvites } from './remove-expired-invites.ts';
export { sendInvite } from './send-invite.ts';
export { type StartSession, signInWith } from './session-hook.ts';
