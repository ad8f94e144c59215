import { resource } from '../../../platform/resource/resource.ts';
import type { PasskeyRow } from './load-passkey.ts';

export const passkey = resource<PasskeyRow>(
  {
    name: 'Passkey',
    object: 'passkey',
    node: 'passkey',
    description:
      'A passkey, with which you sign in at `/account`: a key on a device, in a password manager or on a security key.',
  },
  (f) => ({
    label: f.string('Label of the passkey, up to 50 characters.', ({ label }) => label),
    isSynced: f.boolean(
      'Whether your password manager keeps it on several devices, as of its last use.',
      ({ isSynced }) => isSynced,
    ),
    createdAt: f.time('Time when the passkey was made.', ({ createdAt }) => createdAt),
    lastUsedAt: f.time.optional(
      'Time of the last sign-in with it. Null if there was none.',
      ({ lastUsedAt }) => lastUsedAt,
    ),
  }),
);
