import type { JWTPayload } from 'jose';
import { listen, makeKeys, now } from './openid-provider.ts';

/** A provider that answers as the test says, with real signatures. */
export interface HostileProvider {
  issuer: string;
  clientId: string;
  /** Parts of its metadata that replace the usual ones. */
  metadata: Record<string, unknown>;
  /** Claims of the next ID token, besides `iss`, `aud`, `iat`, `exp` and `sub`, which they can replace. */
  claims: JWTPayload;
  /** The ID token instead of one with these claims. */
  idToken: string | undefined;
  /** The answer of the token endpoint, if it is an error. */
  error: { status: number; body: object } | undefined;
  /** The keys instead of the real one. */
  keys: unknown;
  /** What happens before the token endpoint answers with an ID token, which has been issued. */
  beforeAnswer: (() => Promise<unknown>) | undefined;
  /** What the UserInfo endpoint answers. */
  userInfo: object | undefined;
  /** The answer to a request for metadata, as it is sent. */
  raw: string | undefined;
  sign: Awaited<ReturnType<typeof makeKeys>>['sign'];
  /** Paths of requests. */
  requests: string[];
}

export async function startHostileProvider(): Promise<HostileProvider> {
  const { publicJwk, sign } = await makeKeys();
  const hostile: HostileProvider = {
    issuer: '',
    clientId: 'stemma',
    metadata: {},
    claims: {},
    idToken: undefined,
    error: undefined,
    keys: undefined,
    beforeAnswer: undefined,
    userInfo: undefined,
    raw: undefined,
    sign,
    requests: [],
  };
  hostile.issuer = await listen((issuer) => async (request, response) => {
    const path = request.url ?? '';
    hostile.requests.push(path);
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (path === '/.well-known/openid-configuration') {
      if (hostile.raw !== undefined)
        return response.writeHead(200, { 'content-type': 'application/json' }).end(hostile.raw);
      return send(200, {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/me`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...hostile.metadata,
      });
    }
    if (path === '/jwks') return send(200, { keys: hostile.keys ?? [publicJwk] });
    if (path === '/me') return send(200, hostile.userInfo ?? {});
    if (hostile.error) return send(hostile.error.status, hostile.error.body);
    const usual = { iss: issuer, aud: hostile.clientId, iat: now(), exp: now() + 300, sub: 'eve' };
    const idToken = hostile.idToken ?? (await sign({ ...usual, ...hostile.claims }));
    await hostile.beforeAnswer?.();
    return send(200, { access_token: 'opaque', token_type: 'Bearer', expires_in: 60, id_token: idToken });
  });
  return hostile;
}
