import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { deviceName } from '../../../lib/document-html/device-name.ts';
import { requireFullAccount, requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { ApiError, conflict, notFound } from '../../../platform/errors/errors.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { parse } from '../../../platform/operation/operation.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { lockCredential, recordAccountEvent } from '../access/index.ts';
import { sendEmailNotice } from '../users/index.ts';
import { consumeChallenge, makeChallenge } from './challenges.ts';
import { readResponse, registrationResponse } from './credential.ts';
import { passkeyLabel } from './label.ts';
import { ALGORITHMS, requireRelyingParty, webAuthn } from './relying-party.ts';

/** Number of passkeys that a user can have. */
const MAX_PASSKEYS = 20;

constraintMeans('passkey_credential_unique', () => conflict('This passkey is already registered.'));

/** The options with which the browser of a signed-in user makes a passkey. FORBIDDEN in SSO sessions. */
export async function passkeyOptions(
  ctx: Context,
  browserSecret: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const userId = ownAccount(ctx);
  const party = requireRelyingParty(ctx.services.config);
  const user = await ctx.db
    .selectFrom('user')
    .where('id', '=', userId)
    .select(['email', 'displayName'])
    .executeTakeFirst();
  if (!user) throw notFound('user', userId);
  const passkeys = await ctx.db
    .selectFrom('passkey')
    .where('userId', '=', userId)
    .select(['credentialId', 'transports'])
    .limit(MAX_PASSKEYS)
    .execute();
  rejectTooManyPasskeys(passkeys.length);
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: 'Stemma',
    rpID: party.id,
    userID: new TextEncoder().encode(userId),
    userName: user.email ?? user.displayName,
    userDisplayName: user.displayName,
    challenge: await makeChallenge(ctx, { browserSecret, userId }),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    // An authenticator has one passkey of an account.
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: Buffer.from(credentialId).toString('base64url'),
      transports: transports.split(' ').filter((transport) => transport !== ''),
    })),
  });
}

/** A passkey is a person's own, for which no organization can vouch. */
function ownAccount({ actor }: Context): string {
  requireFullAccount(actor);
  return requireUserId(actor);
}

function rejectTooManyPasskeys(count: number): void {
  if (count >= MAX_PASSKEYS) throw conflict(`You can have ${MAX_PASSKEYS} passkeys. Remove one of them first.`);
}

const input = z.object({ label: passkeyLabel.nullish() });

/**
 * Stores a passkey that the browser of a signed-in user has made. BAD_USER_INPUT if it cannot be verified. Returns its
 * id.
 */
export async function registerPasskey(
  ctx: Context,
  { label: rawLabel, credential, browserSecret }: { label?: unknown; credential: unknown; browserSecret: string },
): Promise<string> {
  const userId = ownAccount(ctx);
  const party = requireRelyingParty(ctx.services.config);
  const { label } = parse(input, { label: rawLabel });
  const response = readResponse(registrationResponse, credential);
  const { clientDataJSON } = response.response;
  const challenge = await consumeChallenge(ctx, { clientDataJSON, browserSecret, userId });
  const registration = challenge === undefined ? undefined : await verified(response, challenge, party);
  if (!registration) throw unverified();
  return transact(ctx, async (inside) => {
    await lockCredential(inside);
    await inside.db.selectFrom('user').where('id', '=', userId).select('id').forNoKeyUpdate().execute();
    const { count } = await inside.db
      .selectFrom('passkey')
      .where('userId', '=', userId)
      .select((passkey) => passkey.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    rejectTooManyPasskeys(count);
    const passkeyId = newId('passkey');
    await inside.db
      .insertInto('passkey')
      .values({
        id: passkeyId,
        userId,
        label: label ?? deviceName(ctx.userAgent ?? null),
        credentialId: Buffer.from(registration.credential.id, 'base64url'),
        publicKey: Buffer.from(registration.credential.publicKey),
        counter: registration.credential.counter,
        transports: (response.response.transports ?? []).join(' '),
        isSynced: registration.credentialBackedUp,
        createdAt: nowOf(inside),
      })
      .execute();
    if (ctx.services.mailer) await enqueue(inside, sendEmailNotice, { userId, to: null, about: 'passkey' });
    await recordAccountEvent(inside, { kind: 'passkey_created', ids: { passkeyId, userId } });
    return passkeyId;
  });
}

async function verified(
  response: z.output<typeof registrationResponse>,
  challenge: string,
  { id, origin }: ReturnType<typeof requireRelyingParty>,
) {
  const { verifyRegistrationResponse } = await webAuthn();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} } as Parameters<
        typeof verifyRegistrationResponse
      >[0]['response'], // its transports can be any text
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return registrationInfo;
  } catch {
    return undefined; // every fault of the input is an error of the library
  }
}

const unverified = () =>
  new ApiError(
    'BAD_USER_INPUT',
    'The passkey could not be verified, or it took longer than five minutes. Nothing was stored. Try again in this browser.',
  );
