import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, describe } from 'vitest';
import { freePort } from '../people/sso/identity-provider.ts';
import { type World, world } from '../world.ts';

/** Debian's package `chromium`. */
const PROGRAM = '/usr/bin/chromium';
const isInstalled = existsSync(PROGRAM);

/** How long a story waits for what it expects to see, in milliseconds. */
const PATIENCE_MS = 15_000;

/** What browsers and React log of errors that a view shows. */
const SHOWN = /status of 4\d\d|^GraphError: /;

/** A person at a browser. Browsers of several people share nothing. */
export interface Visitor {
  page: Page;
  /** Errors that no view has shown, what the Content Security Policy has blocked, and requests that failed with 5xx. */
  faults: string[];
}

export interface Stage extends World {
  /** The address that browsers open, which is `PUBLIC_URL`. */
  address: string;
  /** Opens a page of the application in a browser of its own, by default in a window of 1440 × 900 pixels. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visitor>;
  /** The same, signed in with an access token. */
  visitAs(token: string | undefined, path: string, options?: BrowserContextOptions): Promise<Visitor>;
}

/** Stories of people who use the application in Chromium. They are skipped where it is not installed. */
export const stories = (name: string, tell: () => void): void => {
  if (isInstalled) describe(name, tell);
  else describe.skip(`${name}: skipped, because ${PROGRAM} is not installed (Debian: chromium)`, tell);
};

/**
 * The service at the address that sessions need, with the application as `web/build.mjs` builds it, and a browser.
 * Passkeys need the host `localhost`.
 */
export async function stage(environment: Record<string, string> = {}, host = '127.0.0.1'): Promise<Stage> {
  const port = await freePort();
  const address = `http://${host}:${port}`;
  const made = await world({ PORT: String(port), PUBLIC_URL: address, ...environment });
  let started: Promise<Browser> | undefined;
  afterAll(async () => (await started)?.close());

  const visit: Stage['visit'] = async (path, options) => {
    started ??= chromium.launch({ executablePath: PROGRAM, chromiumSandbox: process.getuid?.() !== 0 });
    const browser = await started;
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !SHOWN.test(message.text())) faults.push(message.text());
    });
    page.on('response', (response) => {
      if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${address}/app${path}`);
    return { page, faults };
  };
  const visitAs: Stage['visitAs'] = async (token, path, options) => {
    const visitor = await visit('/sign-in', options);
    await signIn(visitor.page, token);
    await visitor.page.goto(`${made.url}/app${path}`);
    return visitor;
  };
  return { ...made, address, visit, visitAs };
}

/** Fills in the form of `/app/sign-in`, and waits until it has led elsewhere. */
export async function signIn(page: Page, token = ''): Promise<void> {
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/app/sign-in');
}
