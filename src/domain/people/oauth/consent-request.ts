import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from 'oidc-provider';
import type { Scope } from '../../../platform/access/scopes.ts';
import type { Services } from '../../../platform/context/services.ts';
import { authorizationServer } from './authorization-server.ts';
import type { OAuthError } from './error-page.ts';
import { SCOPES } from './settings.ts';

/** Why a request for access cannot be decided. */
export type Undecidable = 'ended' | OAuthError;

/** What an application asks a user for. */
export interface ConsentRequest {
  client: {
    id: string;
    name: string;
    /** The host whose document describes the client. Undefined for clients that have registered themselves. */
    verifiedHost: string | undefined;
  };
  /** Where the browser is sent with the response. Null for a device, which asks for it. */
  redirectUri: string | null;
  /** The host of that, or the scheme of an installed application. */
  redirectTo: string | null;
  /** The code that the device shows. */
  userCode?: string;
  scopes: readonly Scope[];
  resources: readonly string[];
}

/**
 * The request for access that this browser has brought, by the cookie that it has for the page. It has ended if it has
 * expired, was answered, or came by another browser. Returns an error if the client no longer exists.
 */
export async function consentRequest(
  services: Services,
  request: IncomingMessage,
  uid: string,
): Promise<ConsentRequest | Undecidable> {
  const { provider, isEnded, clientError } = await authorizationServer(services);
  try {
    const interaction = await provider.interactionDetails(request, new ServerResponse(request));
    if (interaction.uid !== uid) return 'ended';
    const client = await provider.Client.find(String(interaction.params.client_id));
    return client ? requestOf(interaction.params, client) : 'ended';
  } catch (error) {
    if (isEnded(error)) return 'ended';
    return clientError(error);
  }
}

/** What a client asks for with the parameters of its request. */
export function requestOf(
  params: Readonly<Record<string, unknown>>,
  { clientId: id, clientName }: Client,
): ConsentRequest {
  const redirectUri = params.redirect_uri === undefined ? null : String(params.redirect_uri);
  const requestedScopes = String(params.scope ?? '').split(' ');
  const verifiedHost = id.startsWith('https://') ? new URL(id).host : undefined;
  return {
    client: { id, name: clientName ?? verifiedHost ?? id, verifiedHost },
    redirectUri,
    redirectTo: redirectUri === null ? null : placeOf(redirectUri),
    scopes: SCOPES.filter((scope) => scope === 'read' || requestedScopes.includes(scope)),
    resources: [params.resource ?? []].flat().map(String),
  };
}

function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}

/** The decision of the user. Returns where the browser goes on, or undefined if the request has ended meanwhile. */
export async function submitDecision(
  services: Services,
  request: IncomingMessage,
  decision: { userId: string; grantId: string } | 'denied',
): Promise<string | undefined> {
  const { provider, isEnded } = await authorizationServer(services);
  const result =
    decision === 'denied'
      ? { error: 'access_denied', error_description: 'The user has denied access' }
      : { login: { accountId: decision.userId, remember: false }, consent: { grantId: decision.grantId } };
  try {
    const options = { mergeWithLastSubmission: false };
    return await provider.interactionResult(request, new ServerResponse(request), result, options);
  } catch (error) {
    if (isEnded(error)) return undefined;
    throw error;
  }
}
