export { removeExpiredInvites } from './remove-expired-invites.ts';
export { sendInvite } from './send-invite.ts';
