import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll } from 'vitest';

/** A person who is signed in at a provider, with further claims. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
  groups?: unknown;
}

/** A real provider (oidc-provider) on its own port. Whoever `person` is at the moment signs in there. */
export interface OpenidProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Changes who signs in next, unless the browser has a session at the provider. */
  signIn(person: Person): void;
  /** Registers the service, which knows its addresses only once the provider is configured there. */
  register(service: { redirectUrl: string; backchannelLogoutUrl: string }): void;
  /** A token that the provider has signed, with these claims. */
  sign(claims: JWTPayload, header?: { typ?: string; alg?: string }): Promise<string>;
}

/** The parts of oidc-provider that are used here. It has no types. */
interface Library {
  default: new (
    issuer: string,
    configuration: object,
  ) => {
    callback(): RequestListener;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  };
}

const name: string = 'oidc-provider';
const library = (await import(name)) as Library; // as far as it is used

const KID = 'test-key';

/** The time in seconds, as claims have it. */
export const now = () => Math.floor(Date.now() / 1_000);

/** Keys of a provider. */
export async function makeKeys() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: KID, alg: 'RS256', use: 'sig' };
  const { d, p, q, dp, dq, qi, ...publicJwk } = jwk;
  const sign = (claims: JWTPayload, { typ = 'JWT', alg = 'RS256' } = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid: KID, typ }).sign(privateKey);
  return { jwk, publicJwk, sign };
}

/** A token that is signed with the secret of a client, as everyone who knows it could. */
export const signWithSecret = (claims: JWTPayload, secret: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(new TextEncoder().encode(secret));

/** Listens on a free port of this machine until the tests of the file have ended. */
export async function listen(handle: (issuer: string) => Promise<RequestListener> | RequestListener): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // of a TCP server
  const issuer = `http://127.0.0.1:${port}`;
  server.on('request', await handle(issuer));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return issuer;
}

export interface ProviderOptions {
  /** Claims of people are in the ID token too, not only at the UserInfo endpoint. */
  claimsInIdToken?: boolean;
}

export async function startOpenidProvider({ claimsInIdToken = false }: ProviderOptions = {}): Promise<OpenidProvider> {
  const keys = await makeKeys();
  const people = new Map<string, Person>();
  let person: Person = { sub: 'ada', email: 'ada@acme.example', email_verified: true, name: 'Ada' };
  const client = {
    client_id: 'stemma',
    client_secret: 'the secret of the client, which is long',
    redirect_uris: ['https://unused.example/callback'],
    backchannel_logout_uri: 'https://unused.example/logout',
    backchannel_logout_session_required: true,
  };
  const registered = new Map<string, object>([[client.client_id, client]]);
  const issuer = await listen((address) => {
    const provider = new library.default(address, {
      adapter: adapterWith(registered),
      jwks: { keys: [keys.jwk] },
      cookies: { keys: ['a key of cookies'] },
      claims: {
        openid: ['sub', 'sid'],
        email: ['email', 'email_verified'],
        profile: ['name', 'groups', '_claim_names'],
      },
      conformIdTokenClaims: !claimsInIdToken,
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      pkce: { required: () => true },
      // Its own refuses addresses of this machine.
      fetch: (url: URL, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) => fetch(url, options),
      interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `${address}/interaction/${uid}` },
      findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => people.get(id) ?? { sub: id } }),
      loadExistingGrant: grantAll,
      ttl: { Session: 3_600, Grant: 3_600, Interaction: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    });
    const handle = provider.callback();
    return (request, response) => {
      const { url = '' } = request;
      if (!url.startsWith('/interaction/')) return handle(request, response);
      people.set(person.sub, person);
      provider
        .interactionFinished(request, response, { login: { accountId: person.sub } })
        .catch((error: Error) => response.writeHead(500).end(error.message));
    };
  });
  return {
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    signIn: (next) => {
      person = next;
      people.set(next.sub, next);
    },
    register: ({ redirectUrl, backchannelLogoutUrl }) =>
      void registered.set(client.client_id, {
        ...client,
        redirect_uris: [redirectUrl],
        backchannel_logout_uri: backchannelLogoutUrl,
      }),
    sign: keys.sign,
  };
}

interface GrantContext {
  oidc: {
    provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> } };
    client: { clientId: string };
    session: { accountId: string };
  };
}

/** Consent is given to everything. */
async function grantAll({ oidc: { provider, client, session } }: GrantContext) {
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

/** Keeps what the provider stores in memory, and clients in a map that tests change. */
function adapterWith(clients: ReadonlyMap<string, object>) {
  const stored = new Map<string, Record<string, unknown>>();
  const ofGrant = (grantId: string) => [...stored].filter(([, value]) => value.grantId === grantId);
  return class {
    readonly #model: string;
    constructor(model: string) {
      this.#model = model;
    }
    async upsert(id: string, payload: Record<string, unknown>) {
      stored.set(`${this.#model} ${id}`, payload);
    }
    async find(id: string) {
      return this.#model === 'Client' ? clients.get(id) : stored.get(`${this.#model} ${id}`);
    }
    async findByUid(uid: string) {
      return [...stored.values()].find((value) => value.uid === uid);
    }
    async findByUserCode() {
      return undefined;
    }
    async consume(id: string) {
      const found = stored.get(`${this.#model} ${id}`);
      if (found) found.consumed = now();
    }
    async destroy(id: string) {
      stored.delete(`${this.#model} ${id}`);
    }
    async revokeByGrantId(grantId: string) {
      for (const [key] of ofGrant(grantId)) stored.delete(key);
    }
  };
}
