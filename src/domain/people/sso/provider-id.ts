import type { Row } from '../../../platform/database/tables.ts';

/** The id of a provider, by the name that inputs and events of its protocol use. */
export const idOfProvider = ({
  id,
  protocol,
}: Pick<Row<'saml_provider'>, 'id' | 'protocol'>): { samlProviderId: string } | { oidcProviderId: string } =>
  protocol === 'saml' ? { samlProviderId: id } : { oidcProviderId: id };
