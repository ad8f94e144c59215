import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import { sql } from 'kysely';
import { DAY_MS } from '../../../lib/durations.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import type { PublicKey } from './public-key.ts';
import { signingKeySecret } from './signing-key-secret.ts';

const ALGORITHM = 'ES256';

/** Maximum lifetime of a token. Retired keys can be deleted after it. */
export const MAX_TOKEN_SECONDS = 24 * 3_600;

/** A key signs for this long. Then the next token makes another one. */
const KEY_DAYS = 90;

/** The issuer of tokens of an organization (`iss`): its URL in the REST API. */
const issuerOf = (ctx: Context, organizationId: string) => locationUrl(ctx, `/v1/orgs/${organizationId}`);

/**
 * A signed JWT of an organization (RFC 7519), valid for so many seconds, up to a day. `iss` and `aud` are the
 * organization, unless the claims set `aud`. The first token of an organization makes its key, and the first one after
 * 90 days another; so does the first one after the private key became unreadable. Must run inside of a command.
 */
export async function signAs(
  ctx: Context,
  organizationId: string,
  claims: JWTPayload,
  { seconds }: { seconds: number },
): Promise<string> {
  if (seconds > MAX_TOKEN_SECONDS) throw new Error(`Tokens are valid for up to ${MAX_TOKEN_SECONDS} seconds.`);
  const { id: kid, secret } = (await currentKey(ctx, organizationId)) ?? (await makeKey(ctx, organizationId));
  const issuedAt = Math.floor(ctx.services.clock().getTime() / 1_000);
  return new SignJWT({ aud: organizationId, ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
    .setIssuer(issuerOf(ctx, organizationId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(await importJWK(JSON.parse(secret), ALGORITHM));
}

/** A key that signs: its id, and the private JWK as JSON. */
interface Signer {
  id: string;
  secret: string;
}

/** The newest key, unless it is too old to sign or cannot be read. */
async function currentKey(ctx: Context, organizationId: string): Promise<Signer | undefined> {
  const newest = await ctx.db
    .selectFrom('signing_key')
    .where('organizationId', '=', organizationId)
    .where('createdAt', '>', new Date(Date.parse(nowOf(ctx)) - KEY_DAYS * DAY_MS).toISOString())
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .selectAll()
    .limit(1)
    .executeTakeFirst();
  const secret = newest && signingKeySecret.find(ctx.services, { organizationId, kid: newest.id }, newest.privateKey);
  return newest && secret !== undefined ? { id: newest.id, secret } : undefined;
}

/** Key of an advisory lock, so that concurrent first tokens of an organization, or of a period, share one key. */
const KEY_LOCK = 7_305_110_044;

async function makeKey(ctx: Context, organizationId: string): Promise<Signer> {
  await sql`select pg_advisory_xact_lock(${sql.lit(KEY_LOCK)})`.execute(ctx.db);
  return (await currentKey(ctx, organizationId)) ?? addKey(ctx, organizationId);
}

/** Makes a key that signs from now on. Must run inside of a command. */
export async function addKey(ctx: Context, organizationId: string): Promise<Signer> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
  const kid = await calculateJwkThumbprint(publicJwk);
  const secret = JSON.stringify(privateJwk);
  await ctx.db
    .insertInto('signing_key')
    .values({
      organizationId,
      id: kid,
      publicKey: { ...publicJwk, kid, alg: ALGORITHM, use: 'sig' } as PublicKey, // what ES256 makes
      privateKey: signingKeySecret.encrypt(ctx.services, { organizationId, kid }, secret),
      createdAt: nowOf(ctx),
    })
    .execute();
  return { id: kid, secret };
}
