import { type World, world } from '../../world.ts';
import { Browser } from '../sso/browser.ts';
import { freePort } from '../sso/identity-provider.ts';
import { type OpenidProvider, type Person, type ProviderOptions, startOpenidProvider } from './openid-provider.ts';

/** A service that may send requests to this machine, with a provider that is configured in its organization. */
export interface OidcWorld extends World {
  op: OpenidProvider;
  /** The active provider of the organization. */
  providerId: string;
  /** Its path in REST. */
  path: string;
  startUrl: string;
  redirectUrl: string;
  logoutUrl: string;
  /** A new browser that signs in as a person. An access token proves an account that has verified the address. */
  signedIn(person: Person, token?: string): Promise<Browser>;
}

/** A world at an address that is known before it starts, so that providers can be told where browsers come back to. */
export async function reachableWorld(environment: Record<string, string> = {}): Promise<World> {
  const port = await freePort();
  return world({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ALLOW_PRIVATE_NETWORK: '1',
    ...environment,
  });
}

export async function oidcWorld(
  settings: Record<string, unknown> = {},
  { environment = {}, ...options }: ProviderOptions & { environment?: Record<string, string> } = {},
): Promise<OidcWorld> {
  const made = await reachableWorld(environment);
  const op = await startOpenidProvider(options);
  const all = `/v1/orgs/${made.organizationId}/oidc`;
  const { body } = await made.admin.post(all, {
    label: 'Keycloak',
    issuer: op.issuer,
    clientID: op.clientId,
    clientSecret: op.clientSecret,
    ...settings,
  });
  const { redirectURL: redirectUrl, startURL: startUrl, backchannelLogoutURL: logoutUrl } = body.service;
  op.register({ redirectUrl, backchannelLogoutUrl: logoutUrl });
  return {
    ...made,
    op,
    providerId: body.id,
    path: `${all}/${body.id}`,
    startUrl,
    redirectUrl,
    logoutUrl,
    async signedIn(person, token) {
      op.signIn(person);
      const browser = new Browser(made.url);
      const page = await browser.follow(await browser.open(startUrl));
      if (token !== undefined) {
        const proven = await prove(browser, await page.text(), { proof: 'token', token });
        if (proven.status !== 303) throw new Error(`The account was not proved: ${await proven.text()}`);
      }
      return browser;
    },
  };
}

/** Sends a form of the page that asks whose an account is. */
export function prove(browser: Browser, html: string, fields: Record<string, string>): Promise<Response> {
  const code = /name="code" value="([\w-]+)"/.exec(html)?.[1] ?? '';
  return browser.submit('/sso/finish', { code, ...fields });
}

/** Follows redirects until one leads to an address that begins like this, which is returned and not opened. */
export async function followUntil(browser: Browser, address: string, start: string): Promise<string> {
  let location = address;
  while (!location.startsWith(start)) {
    const response = await browser.open(location);
    const next = response.headers.get('location');
    if (next === null)
      throw new Error(`The way ended at ${location} with ${response.status}: ${await response.text()}`);
    location = new URL(next, location).href;
  }
  return location;
}

/** Sends a query to the graph with the session of a browser. */
export async function ask(browser: Browser, url: string, query: string) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: `stemma_session=${browser.cookie('stemma_session')}`,
      origin: url,
    },
    body: JSON.stringify({ query }),
  });
  return JSON.parse(await response.text());
}

/** The id of the user whom a browser is signed in as. Undefined without a session. */
export async function userIn(browser: Browser, url: string): Promise<string | undefined> {
  return (await ask(browser, url, '{ viewer { id } }')).data?.viewer?.id;
}
