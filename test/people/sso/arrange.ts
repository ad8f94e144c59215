import type { World } from '../../world.ts';
import { world } from '../../world.ts';
import { Browser } from './browser.ts';
import { formIn, freePort, type IdentityProvider, startIdentityProvider } from './identity-provider.ts';

/** A service that identity providers can reach, with one that is configured. */
export interface SsoWorld extends World {
  idp: IdentityProvider;
  /** The active provider of the organization. */
  providerId: string;
  startUrl: string;
  acsUrl: string;
  /** A new browser that signed in as somebody. An access token proves an account that has verified the address. */
  signedIn(email: string, displayName?: string, token?: string): Promise<Browser>;
}

export async function ssoWorld(
  settings: Record<string, unknown> = {},
  environment: Record<string, string> = {},
): Promise<SsoWorld> {
  const port = await freePort();
  const made = await world({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, ...environment });
  const idp = await startIdentityProvider();
  const { body } = await made.admin.post(`/v1/orgs/${made.organizationId}/saml`, {
    label: 'Okta',
    entityID: idp.entityId,
    certificate: idp.credentials.certificate,
    ssoURL: idp.ssoUrl,
    ...settings,
  });
  const { startURL: startUrl, acsURL: acsUrl } = body.service;
  return {
    ...made,
    idp,
    providerId: body.id,
    startUrl,
    acsUrl,
    async signedIn(email, displayName, token) {
      idp.signIn(email, displayName);
      const browser = new Browser(made.url);
      const page = await signIn(browser, startUrl);
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

/** Signs a browser in at the identity provider. Returns the page that it ends on. */
export async function signIn(browser: Browser, startUrl: string): Promise<Response> {
  const atProvider = await browser.follow(await browser.open(startUrl));
  const { action, fields } = formIn(await atProvider.text());
  return browser.follow(await browser.submit(action, fields, new URL(atProvider.url).origin));
}
