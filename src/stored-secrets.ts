import { webhookSecret } from './domain/insight/webhooks/webhook-secret.ts';
import { inviteSecret } from './domain/people/invites/invite-secret.ts';
import { recordSecret } from './domain/people/oauth/record-secret.ts';
import { signingKeySecret } from './domain/people/signing-keys/signing-key-secret.ts';
import { clientSecret } from './domain/people/sso/oidc/client-secret.ts';
import { shareKeySecret } from './domain/publishing/audiences/share-key.ts';
import { siteKeySecret } from './domain/publishing/sites/site-key.ts';
import { connectionCredentials, hookSecret, sshKey } from './domain/sources/git/connections/connection-secrets.ts';
import { runCredentials } from './domain/sources/git/run-credentials.ts';
import { providerKey } from './domain/sources/translations/providers/provider-key.ts';
import type { SecretColumn } from './platform/secret-key/stored-secret.ts';

/** Every column with encrypted secrets. A test compares it with the declarations, and with all binary columns. */
export const storedSecrets: readonly SecretColumn[] = [
  inviteSecret,
  recordSecret,
  signingKeySecret,
  siteKeySecret,
  shareKeySecret,
  connectionCredentials,
  hookSecret,
  sshKey,
  runCredentials,
  providerKey,
  clientSecret,
  webhookSecret,
];
