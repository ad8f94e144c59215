import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { decryptSecret, encryptSecret } from '../../../platform/secrets.ts';
import { locationUrl } from '../../../platform/urls.ts';
import type { PublicKey } from './public-key.ts';

const ALGORITHM = 'ES256';

/** No token is valid for longer, so that former keys can be removed. */
export const MAX_TOKEN_SECONDS = 24 * 3_600;

/** A key signs for this long. Then the next token makes another one. */
const KEY_DAYS = 90;
const DAY_MS = 86_400_000;

/** The issuer of tokens of an organization (`iss`): its URL in the REST API. */
export const issuerOf = (ctx: Context, organizationId: string) => locationUrl(ctx, `/v1/orgs/${organizationId}`);

/**
 * A signed JWT of an organization (RFC 7519), valid for so many seconds, up to a day. `iss` and `aud` are the organization,
 * unless the claims set `aud`. The first token of an organization makes its key, and the first one after 90 days another.
 * Must run inside of a command.
 */
export async function signAs(
  ctx: Context,
  organizationId: string,
  claims: JWTPayload,
  { seconds }: { seconds: number },
): Promise<string> {
  if (seconds > MAX_TOKEN_SECONDS) throw new Error(`Tokens are valid for up to ${MAX_TOKEN_SECONDS} seconds.`);
  const { id: kid, privateKey } = (await currentKey(ctx, organizationId)) ?? (await makeKey(ctx, organizationId));
  const secret = decryptSecret(ctx.services.secretKey, placeOf(organizationId, kid), privateKey);
  const issuedAt = Math.floor(ctx.services.clock().getTime() / 1_000);
  return new SignJWT({ aud: organizationId, ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
    .setIssuer(issuerOf(ctx, organizationId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(await importJWK(JSON.parse(secret), ALGORITHM));
}

const placeOf = (organizationId: string, kid: string) => `signing_key ${organizationId} ${kid}`;

/** The newest key, unless it is too old to sign. */
const currentKey = (ctx: Context, organizationId: string): Promise<Row<'signing_key'> | undefined> =>
  ctx.db
    .selectFrom('signing_key')
    .where('organizationId', '=', organizationId)
    .where('createdAt', '>', new Date(Date.parse(nowOf(ctx)) - KEY_DAYS * DAY_MS).toISOString())
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .selectAll()
    .limit(1)
    .executeTakeFirst();

/** Key of an advisory lock, so that concurrent first tokens of an organization, or of a period, share one key. */
const KEY_LOCK = 7_305_110_044;

async function makeKey(ctx: Context, organizationId: string): Promise<Row<'signing_key'>> {
  await sql`select pg_advisory_xact_lock(${sql.lit(KEY_LOCK)})`.execute(ctx.db);
  return (await currentKey(ctx, organizationId)) ?? addKey(ctx, organizationId);
}

/** Makes a key that signs from now on. Must run inside of a command. */
export async function addKey(ctx: Context, organizationId: string): Promise<Row<'signing_key'>> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
  const kid = await calculateJwkThumbprint(publicJwk);
  const secret = encryptSecret(ctx.services.secretKey, placeOf(organizationId, kid), JSON.stringify(privateJwk));
  return ctx.db
    .insertInto('signing_key')
    .values({
      organizationId,
      id: kid,
      publicKey: { ...publicJwk, kid, alg: ALGORITHM, use: 'sig' } as PublicKey, // what ES256 makes
      privateKey: secret,
      createdAt: nowOf(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
