import { storedSecret } from '../../../platform/secret-key/stored-secret.ts';

/** Records of the authorization server, which contain tokens and secrets of clients. */
export const recordSecret = storedSecret({
  table: 'oauth_record',
  column: 'payload',
  key: { type: 'type', idHash: 'id_hash' },
  place: ({ type, idHash }) => `oauth_record ${type} ${idHash}`,
  plural: 'tokens and registrations of applications (OAuth)',
  name: 'registration of the application',
  remedy: 'The application registers and asks for access again.',
});
