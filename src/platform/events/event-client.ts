import type { z } from 'zod';
import type { Context } from '../context/context.ts';
import { isId } from '../ids/ids.ts';
import { namedEnum } from '../shapes/named-enum.ts';

export const eventClientKind = namedEnum('EventClientKind', 'How the client that caused an event was authenticated.', {
  token: 'By an access token, or in a session that was started with one.',
  session: 'In a session of a browser.',
  integration: 'As an installed integration.',
  scim: 'By a SCIM token.',
  anonymous: 'Not at all. Whoever accepts an invitation or is refused at a sign-in is not known yet.',
  service: 'The service itself, or a command of an operator on its machine.',
});

/** The client that caused an audited event. Contains no secret. */
export interface EventClient {
  kind: z.infer<typeof eventClientKind>;
  apiTokenId?: string;
  samlProviderId?: string;
  /** Tool of `/mcp` that was called. */
  tool?: string;
  /** The grant of the application that was connected with OAuth. */
  oauthGrantId?: string;
  /** Name that the application, or else the client of `/mcp`, gave itself. Not proved. */
  name?: string;
  oidcProviderId?: string;
  scimTokenId?: string;
  /** As it is counted for limits: IPv4 in full, the /64 network for IPv6. */
  address?: string;
}

export const SERVICE_CLIENT: EventClient = { kind: 'service' };

/** By its protocol, which the id tells. */
const providerOf = (id: string): Pick<EventClient, 'samlProviderId' | 'oidcProviderId'> =>
  isId('oidc', id) ? { oidcProviderId: id } : { samlProviderId: id };

const BUCKET = 'address:';

/** The client of a request, or the service in a job. */
export function clientOf({ actor, address: bucket, agentCall }: Context): EventClient {
  const address = bucket?.startsWith(BUCKET) ? bucket.slice(BUCKET.length) : bucket;
  const from = address === undefined ? {} : { address };
  if (actor.kind === 'integration') return { kind: 'integration', ...from };
  if (actor.kind === 'provisioner') return { kind: 'scim', scimTokenId: actor.scimTokenId, ...from };
  if (actor.kind !== 'user') return bucket === undefined ? SERVICE_CLIENT : { kind: 'anonymous', ...from };
  const { by, tokenId, sso, application } = actor;
  const name = application?.name ?? agentCall?.clientName;
  return {
    kind: by,
    ...(application && { oauthGrantId: application.grantId }),
    ...(!application && tokenId !== undefined && { apiTokenId: tokenId }),
    ...(sso && providerOf(sso.providerId)),
    ...(agentCall && { tool: agentCall.tool }),
    ...(name !== undefined && { name }),
    ...from,
  };
}
