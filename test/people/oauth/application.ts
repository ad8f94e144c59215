import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { Browser } from '../sso/browser.ts';

const CALLBACK = 'http://127.0.0.1/callback';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
export type Json = any;

interface JsonAnswer {
  status: number;
  body: Json;
}

export const makeVerifier = () => randomBytes(32).toString('base64url');

export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

/** An application that people connect, as far as the authorization server sees it. */
export class Application {
  readonly url: string;
  readonly clientId: string;

  constructor(url: string, clientId: string) {
    this.url = url;
    this.clientId = clientId;
  }

  static async register(url: string, metadata: Record<string, unknown> = {}): Promise<Application> {
    const { status, body } = await registration(url, metadata);
    expect(status, JSON.stringify(body)).toBe(201);
    return new Application(url, body.client_id);
  }

  /** The address that the application opens in the browser of the person. */
  addressFor(verifier: string, parameters: Record<string, string | undefined> = {}): string {
    const all = {
      client_id: this.clientId,
      response_type: 'code',
      redirect_uri: CALLBACK,
      state: 'a state',
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      scope: 'read propose',
      ...parameters,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `${this.url}/oauth/authorize?${new URLSearchParams(given)}`;
  }

  /** Asks for access, which the person of the browser allows. Returns the code. */
  async codeFrom(
    browser: Browser,
    verifier: string,
    parameters: Record<string, string> = {},
    form: Record<string, string> = {},
  ): Promise<string> {
    const back = await allow(browser, this.addressFor(verifier, parameters), form);
    expect(back.searchParams.get('state')).toBe('a state');
    expect(back.searchParams.get('iss')).toBe(this.url);
    return back.searchParams.get('code') ?? '';
  }

  exchange(code: string, code_verifier: string, parameters: Record<string, string> = {}): Promise<JsonAnswer> {
    const grant = { grant_type: 'authorization_code', code, code_verifier, redirect_uri: CALLBACK };
    return this.post('token', { ...grant, ...parameters });
  }

  refresh(refresh_token: string, parameters: Record<string, string> = {}): Promise<JsonAnswer> {
    return this.post('token', { grant_type: 'refresh_token', refresh_token, ...parameters });
  }

  async post(endpoint: string, fields: Record<string, string>): Promise<JsonAnswer> {
    const body = new URLSearchParams({ client_id: this.clientId, ...fields });
    return jsonOf(await fetch(`${this.url}/oauth/${endpoint}`, { method: 'POST', body }));
  }

  /** Everything from the question to the tokens. */
  async connect(browser: Browser, parameters: Record<string, string> = {}): Promise<Json> {
    const verifier = makeVerifier();
    const { status, body } = await this.exchange(await this.codeFrom(browser, verifier, parameters), verifier);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  /** The same, where the person limits the application to spaces. */
  async connectToSpaces(browser: Browser, scope: string, spaceIds: readonly string[]): Promise<Json> {
    const verifier = makeVerifier();
    const ticked = Object.fromEntries(spaceIds.map((id) => [`in_${id}`, 'yes']));
    const code = await this.codeFrom(browser, verifier, { scope }, { reach: 'spaces', ...ticked });
    return (await this.exchange(code, verifier)).body;
  }
}

export const registration = async (url: string, metadata: Record<string, unknown> = {}): Promise<JsonAnswer> =>
  jsonOf(
    await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Robot',
        redirect_uris: [CALLBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
        ...metadata,
      }),
    }),
  );

async function jsonOf(response: Response): Promise<JsonAnswer> {
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** A browser with a session of the owner of a token. */
export async function signedIn(url: string, token = ''): Promise<Browser> {
  const browser = new Browser(url);
  expect((await browser.submit('/app/sign-in', { token })).status).toBe(303);
  return browser;
}

/** Opens the address, and returns the page that asks for consent with its path and the scopes that can be chosen. */
export async function questionAt(browser: Browser, address: string) {
  const response = await browser.open(address);
  const location = response.headers.get('location') ?? '';
  expect([response.status, location]).toEqual([303, expect.stringMatching(/^\/account\/authorize\//)]);
  const page = await browser.open(location);
  const html = await page.text();
  const scopes = [...html.matchAll(/name="(scope_\w+)"/g)].map(([, name = '']) => name);
  const account = /name="account" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const sso = /name="sso" value="([^"]*)"/.exec(html)?.[1] ?? '';
  return { page, html, path: location, scopes, account, sso };
}

/** Allows what the address asks for, and returns where the browser is sent. */
export async function allow(browser: Browser, address: string, form: Record<string, string> = {}): Promise<URL> {
  const { path, scopes, account, sso } = await questionAt(browser, address);
  const chosen = Object.fromEntries(scopes.map((name) => [name, 'yes']));
  const resumed = await browser.submit(path, { account, sso, decision: 'allow', reach: 'all', ...chosen, ...form });
  expect(resumed.status).toBe(200);
  const back = await browser.open(goneOn(resumed));
  expect(back.status, await back.text()).toBe(303);
  return new URL(back.headers.get('location') ?? '');
}

/** Where a page leads by itself. */
export const goneOn = (page: Response): string => page.headers.get('refresh')?.replace('0;url=', '') ?? '';

/** The error that the person sees, and the address by which the application can be told. */
export async function refusal(
  response: Response,
): Promise<{ status: number; error: string | null; redirectUri: string }> {
  const [, address = 'none:'] = /<a href="([^"]+)" rel="noreferrer">/.exec(await response.text()) ?? [];
  expect(response.headers.get('location')).toBeNull();
  const { searchParams, origin, pathname } = new URL(address.replaceAll('&amp;', '&'));
  return { status: response.status, error: searchParams.get('error'), redirectUri: origin + pathname };
}
