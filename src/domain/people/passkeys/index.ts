export { deletePasskey } from './delete-passkey.ts';
export { listPasskeys } from './list-passkeys.ts';
export type { PasskeyRow } from './load-passkey.ts';
export { passkeyOptions, registerPasskey } from './register-passkey.ts';
export { passkeyRelyingParty } from './relying-party.ts';
export { passkeySignInOptions, startSessionWithPasskey } from './sign-in-with-passkey.ts';
export { updatePasskey } from './update-passkey.ts';
