/** A secret that is stored encrypted, or given in a setting, with the addresses that it may travel to. */
export interface Secret {
  /** Column or setting. */
  name: string;
  /** Settings or input members that name where it travels. Empty if it never leaves the service in a request. */
  addresses: readonly string[];
  /** What happens to it when one of these changes to another origin, or why it has none. */
  rule: string;
}

/** The columns of `src/stored-secrets.ts`. */
export const STORED: readonly Secret[] = [
  {
    name: 'git_connection.credentials',
    addresses: ['url', 'apiUrl'],
    rule: 'Another url removes it. Another origin of apiUrl is refused until it is sent again.',
  },
  {
    name: 'git_connection.ssh_private_key',
    addresses: ['url'],
    rule: 'Another url replaces the key pair. It proves itself with signatures and is never sent.',
  },
  {
    name: 'git_connection.hook_secret',
    addresses: [],
    rule: 'Checks the signatures of requests that come in.',
  },
  {
    name: 'git_run.credentials',
    addresses: ['url'],
    rule: 'Written with the url of the run, which never changes, and removed when the run ends.',
  },
  {
    name: 'saml_provider.client_secret',
    addresses: ['issuer'],
    rule: 'Another issuer is refused until it is sent again. The issuer names the address that it is sent to.',
  },
  {
    name: 'translation_provider.api_key',
    addresses: ['url'],
    rule: 'Settings are replaced together: without the key in the request there is none.',
  },
  {
    name: 'webhook.secret',
    addresses: ['url'],
    rule: 'Another origin of url gets another secret. It signs deliveries and is never sent.',
  },
  { name: 'email_invite.secret', addresses: [], rule: 'Part of a link in a mail to the address that is invited.' },
  { name: 'share_link.key', addresses: [], rule: 'Part of a link that admins hand out.' },
  { name: 'site_auth.private_key', addresses: [], rule: 'Checks the tokens of visitors that come in.' },
  { name: 'oauth_record.payload', addresses: [], rule: 'Checks codes, tokens and secrets of clients that come in.' },
  { name: 'signing_key.private_key', addresses: [], rule: 'Signs tokens of an organization.' },
];

/** Settings of operators. Their addresses are settings too, which no request changes. */
export const SETTINGS: readonly Secret[] = [
  { name: 'SECRET_KEY', addresses: [], rule: 'Encrypts and signs.' },
  { name: 'BOOTSTRAP_TOKEN', addresses: [], rule: 'Comes in.' },
  { name: 'METRICS_TOKEN', addresses: [], rule: 'Comes in.' },
  { name: 'TRANSLATION_API_KEY', addresses: ['TRANSLATION_URL'], rule: 'Never used with the url of an organization.' },
  { name: 'EMBEDDINGS_API_KEY', addresses: ['EMBEDDINGS_URL'], rule: 'Redirects are not followed.' },
  { name: 'LABELS_API_KEY', addresses: ['LABELS_URL'], rule: 'Redirects are not followed.' },
  { name: 'OIDC_CLIENT_SECRET', addresses: ['OIDC_ISSUER'], rule: 'Redirects are not followed.' },
];
