import { storedSecret } from '../../../platform/secret-key/stored-secret.ts';

/** Private keys that sign tokens of organizations. */
export const signingKeySecret = storedSecret({
  table: 'signing_key',
  column: 'private_key',
  key: { organizationId: 'organization_id', kid: 'id' },
  place: ({ organizationId, kid }) => `signing_key ${organizationId} ${kid}`,
  plural: 'signing keys of organizations',
  name: 'signing key of the organization',
  remedy: 'Replace it with rotateOrganizationKeys.',
});
