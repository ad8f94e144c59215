import { hashSession, makeSessionSecret } from '../../../platform/access/authenticate.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { transact } from '../../../platform/transact.ts';
import type { SamlProviderRow } from './access.ts';
import { inspectResponse } from './inspect-response.ts';
import { joinBySso } from './join-by-sso.ts';
import { type Assertion, readAssertion } from './read-assertion.ts';
import { recordRefusal } from './record-refusal.ts';
import { SamlRefusal } from './refusal.ts';
import { CLOCK_SKEW_MS, serviceOf, serviceProvider } from './service-provider.ts';
import type { ActiveSettings } from './settings.ts';
import { activeProvider } from './start-sign-in.ts';

type Provider = SamlProviderRow & ActiveSettings;

/**
 * Accepts the response of an identity provider (HTTP-POST binding) to a sign-in that is under way, once. Returns a code that
 * the browser which started the sign-in can exchange for a session. Throws `SamlRefusal`, which is recorded as an event.
 */
export async function acceptResponse(ctx: Context, samlProviderId: string, samlResponse: string): Promise<string> {
  const provider = await activeProvider(ctx, samlProviderId);
  try {
    const xml = decode(samlResponse);
    const { inResponseTo, destination } = inspectResponse(xml);
    const requestId = await pendingRequest(ctx, provider, inResponseTo);
    if (destination !== undefined && destination !== acsOf(ctx, provider)) {
      throw new SamlRefusal('The response is meant for another service.');
    }
    const assertion = await verified(ctx, provider, { xml, requestId });
    return await accept(ctx, provider, { requestId, assertion });
  } catch (error) {
    if (error instanceof SamlRefusal) await recordRefusal(ctx, provider, error);
    throw error;
  }
}

const acsOf = ({ services }: Context, { id }: Provider) => serviceOf(services.config.publicUrl, id).acsUrl;

/** The text of a response in base64, which may be broken into lines (RFC 2045, 6.8). */
function decode(samlResponse: string): string {
  const base64 = samlResponse.replace(/[\r\n ]+/g, '');
  if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw new SamlRefusal('The form has no SAMLResponse in base64.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    throw new SamlRefusal('The response is not UTF-8.');
  }
}

/** The request that a response names, if it waits for one. */
async function pendingRequest(ctx: Context, provider: Provider, id = ''): Promise<string> {
  const found = await ctx.db
    .selectFrom('saml_request')
    .where('id', '=', id)
    .where('samlProviderId', '=', provider.id)
    .where('codeHash', 'is', null)
    .where('expiresAt', '>', nowOf(ctx))
    .select('id')
    .executeTakeFirst();
  if (!found) throw new SamlRefusal('No sign-in waits for this response. It took too long, or was completed already.');
  return found.id;
}

async function verified(
  ctx: Context,
  provider: Provider,
  { xml, requestId }: { xml: string; requestId: string },
): Promise<Assertion> {
  const saml = serviceProvider(ctx.services.config.publicUrl, provider, requestId);
  // The text that was inspected, whatever the encoding of the form was.
  const SAMLResponse = Buffer.from(xml).toString('base64');
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse }).catch((error: unknown) => {
    throw new SamlRefusal(`The response could not be verified: ${error instanceof Error ? error.message : 'unknown'}`);
  });
  return readAssertion(profile?.getAssertion?.(), {
    issuer: provider.entityId,
    recipient: acsOf(ctx, provider),
    inResponseTo: requestId,
    validAfter: ctx.services.clock().getTime() - CLOCK_SKEW_MS,
  });
}

/** Takes the request, which one response alone can do, and makes the user a member. */
const accept = (
  ctx: Context,
  provider: Provider,
  { requestId, assertion }: { requestId: string; assertion: Assertion },
): Promise<string> =>
  transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
    const userId = await joinBySso(inside, provider, assertion);
    const code = makeSessionSecret();
    const taken = await inside.db
      .updateTable('saml_request')
      .set({ userId, codeHash: hashSession(code) })
      .where('id', '=', requestId)
      .where('codeHash', 'is', null)
      .where('expiresAt', '>', nowOf(ctx))
      .returning('id')
      .executeTakeFirst();
    if (!taken) throw new SamlRefusal('This sign-in was completed already.');
    return code;
  });
