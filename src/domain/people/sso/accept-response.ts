import { type Context, nowOf } from '../../../platform/context/context.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../platform/own-files.ts';
import { acceptPerson } from './accept-person.ts';
import type { ProviderRow } from './access.ts';
import type { ActiveSettings } from './certificates.ts';
import { inspectResponse } from './inspect-response.ts';
import { type Assertion, readAssertion } from './read-assertion.ts';
import { recordRejection } from './record-rejection.ts';
import { CLOCK_SKEW_MS, serviceOf } from './service-provider.ts';
import { SignInError } from './sign-in-error.ts';
import { activeSamlProvider } from './start-sign-in.ts';
import type { work } from './verify-work.ts';

type Provider = ProviderRow & ActiveSettings;

const VERIFICATION_MS = 5_000;

/**
 * Accepts the response of an identity provider (HTTP-POST binding) to a sign-in that is under way, once. Returns a code
 * that the browser which started the sign-in can exchange for a session. Throws `SignInError`, which is recorded as an
 * event.
 */
export async function acceptResponse(ctx: Context, samlProviderId: string, samlResponse: string): Promise<string> {
  const provider = await activeSamlProvider(ctx, samlProviderId);
  try {
    const xml = decode(samlResponse);
    const { inResponseTo, destination } = inspectResponse(xml);
    const requestId = await pendingRequest(ctx, provider, inResponseTo);
    if (destination !== undefined && destination !== acsOf(ctx, provider)) {
      throw new SignInError('The response is meant for another service.');
    }
    const assertion = await verified(ctx, provider, { xml, requestId });
    return await acceptPerson(ctx, provider, { requestId, person: assertion });
  } catch (error) {
    if (error instanceof SignInError) await recordRejection(ctx, provider, error);
    throw error;
  }
}

const acsOf = ({ services }: Context, { id }: Provider) => serviceOf(services.config.publicUrl, id).acsUrl;

/** The text of a response in base64, which may be broken into lines (RFC 2045, 6.8). */
function decode(samlResponse: string): string {
  const base64 = samlResponse.replace(/[\r\n ]+/g, '');
  if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    throw new SignInError('The form does not contain a SAMLResponse in base64.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    throw new SignInError('The response is not UTF-8.');
  }
}

/** The request that a response names, if it waits for one. */
async function pendingRequest(ctx: Context, provider: Provider, id = ''): Promise<string> {
  const request = await ctx.db
    .selectFrom('saml_request')
    .where('id', '=', id)
    .where('samlProviderId', '=', provider.id)
    .where('codeHash', 'is', null)
    .where('expiresAt', '>', nowOf(ctx))
    .select('id')
    .executeTakeFirst();
  if (!request)
    throw new SignInError(
      'This response does not belong to a pending sign-in. The sign-in took too long, or was already completed. Sign in again.',
    );
  return request.id;
}

async function verified(
  ctx: Context,
  provider: Provider,
  { xml, requestId }: { xml: string; requestId: string },
): Promise<Assertion> {
  const { id: samlProviderId, organizationId, ssoUrl, entityId, certificate } = provider;
  const { publicUrl } = ctx.services.config;
  const input = { publicUrl, xml, samlProviderId, requestId, ssoUrl, entityId, certificate };
  const module = ownModule('domain/people/sso/verify-work.ts');
  const of = { ctx, organizationId };
  const result = await ctx.services.heavyWork
    .inWorker<typeof work>('verify-saml', of, { module, input, limitMs: VERIFICATION_MS })
    .catch((error: unknown) => {
      throw error instanceof WorkExceeded ? new SignInError('The response took too long to verify.') : error;
    });
  if ('failure' in result) throw new SignInError(`The response could not be verified: ${result.failure}`);
  return readAssertion(result.assertion, {
    issuer: provider.entityId,
    recipient: acsOf(ctx, provider),
    inResponseTo: requestId,
    validAfter: ctx.services.clock().getTime() - CLOCK_SKEW_MS,
  });
}
