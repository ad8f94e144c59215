import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import samlp, { type Options, type Profile } from 'samlp';
import { afterAll } from 'vitest';
import { type Credentials, makeCredentials } from './certificate.ts';

/** A real identity provider on its own port. Whoever `person` is at the moment is signed in there. */
export interface IdentityProvider {
  credentials: Credentials;
  entityId: string;
  ssoUrl: string;
  /** Changes who is signed in at the provider. The NameID is the address by default. */
  signIn(email: string, displayName?: string, nameId?: string): void;
  /** The response to the AuthnRequest in an address, as XML. `options` replace what the provider would say. */
  respond(address: string, options?: Partial<Options>): Promise<string>;
}

const profileOf = (email: string, displayName: string, nameId: string): Profile => ({
  id: nameId,
  emails: [{ value: email }],
  displayName,
  name: { givenName: displayName, familyName: 'Person' },
});

/** What an AuthnRequest asks for. */
export function requestIn(address: string): { id: string; acsUrl: string; issuer: string } {
  const encoded = new URL(address).searchParams.get('SAMLRequest') ?? '';
  const xml = inflateRawSync(Buffer.from(encoded, 'base64')).toString();
  return {
    id: / ID="([^"]+)"/.exec(xml)?.[1] ?? '',
    acsUrl: /AssertionConsumerServiceURL="([^"]+)"/.exec(xml)?.[1] ?? '',
    issuer: /<saml:Issuer[^>]*>([^<]+)</.exec(xml)?.[1] ?? '',
  };
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const credentials = makeCredentials();
  const entityId = 'urn:example:identity-provider';
  let person = profileOf('ada@acme.example', 'Ada', 'ada@acme.example');
  const common = {
    issuer: entityId,
    cert: credentials.certificate,
    key: credentials.key,
    signatureAlgorithm: 'rsa-sha256',
    digestAlgorithm: 'sha256',
  };
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const query = Object.fromEntries(searchParams);
    const { acsUrl } = requestIn(`http://localhost${request.url}`);
    const handle = samlp.auth({
      ...common,
      recipient: acsUrl,
      destination: acsUrl,
      getUserFromRequest: () => person,
      getPostURL: (_audience, _request, _from, callback) => callback(null, acsUrl),
    });
    const sent = {
      set: (name: string, value: string) => void response.setHeader(name, value),
      send: (body: string | number) => void response.end(String(body)),
    };
    handle({ method: 'GET', query }, sent, (error) => response.writeHead(500).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo; // of a TCP server
  return {
    credentials,
    entityId,
    ssoUrl: `http://127.0.0.1:${port}/sso`,
    signIn: (email, displayName = email, nameId = email) => {
      person = profileOf(email, displayName, nameId);
    },
    respond(address, options = {}) {
      const { id, acsUrl, issuer } = requestIn(address);
      const meant = { audience: issuer, recipient: acsUrl, destination: acsUrl, inResponseTo: id };
      return new Promise((resolve, reject) => {
        samlp.getSamlResponse({ ...common, ...meant, ...options }, person, (error, response) =>
          error ? reject(error) : resolve(String(response)),
        );
      });
    },
  };
}

/** A port that nothing listens on at the moment, for a service that must know its address before it starts. */
export async function freePort(): Promise<number> {
  const socket = createSocket();
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo; // of a TCP server
  await new Promise((resolve) => socket.close(resolve));
  return port;
}

/** The fields and the address of the form in a page of the provider. */
export function formIn(html: string): { action: string; fields: Record<string, string> } {
  const decode = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  const action = decode(/action="([^"]*)"/.exec(html)?.[1] ?? '');
  const inputs = [...html.matchAll(/<input type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g)];
  return { action, fields: Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, decode(value)])) };
}
