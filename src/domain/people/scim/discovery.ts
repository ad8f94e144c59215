import SCIMMY from 'scimmy';
import { notFound } from '../../../platform/errors/errors.ts';
import { MAX_BULK_OPERATIONS } from './bulk-request.ts';
import { listResponse, MAX_COUNT } from './list-request.ts';
import type { Provisioned } from './provision.ts';
import { ENTERPRISE, enterpriseDefinition, GROUP, groupDefinition, USER, userDefinition } from './schemas.ts';

/** Bytes of a bulk request that are certainly accepted. */
const MAX_PAYLOAD = 1_000_000;

/** What this service supports of SCIM (RFC 7643, 5). */
export const serviceProviderConfig = ({ baseUrl }: Provisioned): object =>
  new SCIMMY.Schemas.ServiceProviderConfig(
    {
      documentationUri: new URL('/handbook', baseUrl).href,
      patch: { supported: true },
      bulk: { supported: true, maxOperations: MAX_BULK_OPERATIONS, maxPayloadSize: MAX_PAYLOAD },
      filter: { supported: true, maxResults: MAX_COUNT },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: true },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'SCIM token',
          description: 'A SCIM token of the organization, as "Authorization: Bearer <token>".',
          specUri: 'https://www.rfc-editor.org/info/rfc6750',
        },
      ],
    },
    `${baseUrl}/ServiceProviderConfig`,
  );

export const schemaList = (provisioned: Provisioned): object => {
  const schemas = definitions.map((definition) => definition.describe(`${provisioned.baseUrl}/Schemas`));
  return listResponse(schemas, schemas.length, 1);
};

const definitions = [userDefinition, enterpriseDefinition, groupDefinition];

/** A schema by its URN, in any case. */
export function schemaOf({ baseUrl }: Provisioned, id: string): object {
  const schema = definitions.find((definition) => definition.id.toLowerCase() === id.toLowerCase());
  if (!schema) throw notFound('schema', id.slice(0, 200));
  return schema.describe(`${baseUrl}/Schemas`);
}

const resourceTypes = ({ baseUrl }: Provisioned): { id: string }[] =>
  [
    {
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      description: 'Members of the organization.',
      schema: USER,
      schemaExtensions: [{ schema: ENTERPRISE, required: false }],
    },
    { id: 'Group', name: 'Group', endpoint: '/Groups', description: 'Teams of the organization.', schema: GROUP },
  ].map((type) => new SCIMMY.Schemas.ResourceType(type as never, `${baseUrl}/ResourceTypes`) as { id: string });

export const resourceTypeList = (provisioned: Provisioned): object => {
  const types = resourceTypes(provisioned);
  return listResponse(types, types.length, 1);
};

/** A kind of resource by its name. */
export function resourceTypeOf(provisioned: Provisioned, id: string): object {
  const resourceType = resourceTypes(provisioned).find((type) => type.id.toLowerCase() === id.toLowerCase());
  if (!resourceType) throw notFound('resource type', id.slice(0, 200));
  return resourceType;
}
