/** A browser as far as sign-ins need one: cookies by host, redirects one at a time, forms. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Opens an address. Redirects are not followed. */
  async open(address: string): Promise<Response> {
    return this.#send(address, { method: 'GET' });
  }

  /** Sends a form, by default from a page of the same origin. */
  async submit(address: string, fields: Record<string, string>, origin?: string): Promise<Response> {
    const url = new URL(address, this.#url);
    return this.#send(address, {
      method: 'POST',
      headers: { origin: origin ?? url.origin },
      body: new URLSearchParams(fields),
    });
  }

  /** Sends JSON, as a script of a page does, by default of the same origin. */
  async sendJson(address: string, value: unknown, origin?: string): Promise<Response> {
    const url = new URL(address, this.#url);
    return this.#send(address, {
      method: 'POST',
      headers: { origin: origin ?? url.origin, 'content-type': 'application/json' },
      body: JSON.stringify(value),
    });
  }

  /** Opens an address and what it redirects to. */
  async follow(response: Response): Promise<Response> {
    const location = response.headers.get('location');
    return location === null ? response : this.follow(await this.open(location));
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(new URL(this.#url).host)?.get(name);
  }

  setCookie(name: string, value: string): void {
    this.#jarOf(this.#url).set(name, value);
  }

  #jarOf(address: string): Map<string, string> {
    const { host } = new URL(address, this.#url);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    return jar;
  }

  async #send(address: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    const jar = this.#jarOf(address);
    // Cookies are Lax, so that a form of another site is sent without them.
    const isForeign = init.headers?.origin !== undefined && init.headers.origin !== new URL(address, this.#url).origin;
    const cookie = isForeign ? '' : [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(address, this.#url), {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie !== '' && { cookie }) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
}
