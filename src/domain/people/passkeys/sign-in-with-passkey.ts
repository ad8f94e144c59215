import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { unauthenticated } from '../../../platform/errors/errors.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { type StartedSession, startSession } from '../sessions/index.ts';
import { consumeChallenge, makeChallenge } from './challenges.ts';
import { authenticationResponse, readResponse } from './credential.ts';
import { type PasskeyRelyingParty, requireRelyingParty, webAuthn } from './relying-party.ts';

/** The options with which a browser signs in. They name no account, so that nothing is learnt about anyone. */
export async function passkeySignInOptions(
  ctx: Context,
  browserSecret: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { id } = requireRelyingParty(ctx.services.config);
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: id,
    challenge: await makeChallenge(ctx, { browserSecret, userId: null }),
    userVerification: 'required',
  });
}

/**
 * Starts a session of the owner of a passkey. UNAUTHENTICATED, with one message for every reason, if it does not prove
 * that.
 */
export async function startSessionWithPasskey(
  ctx: Context,
  { credential, browserSecret }: { credential: unknown; browserSecret: string },
): Promise<StartedSession> {
  const party = requireRelyingParty(ctx.services.config);
  const response = readResponse(authenticationResponse, credential);
  const { clientDataJSON } = response.response;
  const challenge = await consumeChallenge(ctx, { clientDataJSON, browserSecret, userId: null });
  if (challenge === undefined) throw unusable();
  return transact(ctx, async (inside) => {
    // Locked, so that a counter is accepted once.
    const passkey = await inside.db
      .selectFrom('passkey')
      .where('credentialId', '=', Buffer.from(response.id, 'base64url'))
      .selectAll()
      .forUpdate()
      .executeTakeFirst();
    if (!passkey || !isOf(passkey, response)) throw unusable();
    const used = await verified(response, { challenge, party, passkey });
    if (!used) throw unusable();
    await inside.db
      .updateTable('passkey')
      .set({ counter: used.newCounter, isSynced: used.credentialBackedUp, lastUsedAt: nowOf(inside) })
      .where('id', '=', passkey.id)
      .execute();
    return startSession(inside, { userId: passkey.userId });
  });
}

type Response = z.output<typeof authenticationResponse>;

/** Passkeys that no account was named for say whose they are. */
const isOf = ({ userId }: Row<'passkey'>, { response }: Response): boolean =>
  Buffer.from(response.userHandle ?? '', 'base64url').toString('utf8') === userId;

async function verified(
  { response, ...credential }: Response,
  { challenge, party, passkey }: { challenge: string; party: PasskeyRelyingParty; passkey: Row<'passkey'> },
) {
  const { verifyAuthenticationResponse } = await webAuthn();
  const { userHandle, ...signed } = response;
  try {
    const { verified: isVerified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { ...signed, ...(userHandle != null && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: Buffer.from(passkey.credentialId).toString('base64url'),
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
    });
    return isVerified ? authenticationInfo : undefined;
  } catch {
    return undefined; // every fault of the input is an error of the library, and so is a counter that was used before
  }
}

const unusable = () =>
  unauthenticated(
    'This passkey does not sign in: it was removed, was not checked with a PIN or a biometric, or took longer than five minutes. Try again, or sign in in another way.',
  );
