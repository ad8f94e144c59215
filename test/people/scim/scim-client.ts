import { expect } from 'vitest';
import type { Client } from '../../client.ts';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
export const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

/** What came back from SCIM. */
export interface ScimAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  body: any;
}

/** An identity provider with a SCIM token of an organization. */
export class ScimClient {
  readonly base: string;
  readonly token: string | undefined;

  constructor(url: string, organizationId: string, token?: string) {
    this.base = `${url}/scim/v2/${organizationId}`;
    this.token = token;
  }

  /** Every error is expected to have the form of SCIM, and none to be internal. */
  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ScimAnswer> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status } = response;
    if (text !== '') expect(response.headers.get('content-type')).toContain('application/scim+json');
    const answer = { status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    if (status >= 400) {
      expect(status).not.toBe(500);
      expect(answer.body).toMatchObject({ schemas: [ERROR], status: String(status), detail: expect.any(String) });
    }
    return answer;
  }

  get = (path: string, headers?: Record<string, string>) => this.send('GET', path, undefined, headers);
  post = (path: string, body: unknown) => this.send('POST', path, body);
  put = (path: string, body: unknown, headers?: Record<string, string>) => this.send('PUT', path, body, headers);
  delete = (path: string, headers?: Record<string, string>) => this.send('DELETE', path, undefined, headers);

  /** Sends operations. */
  patch = (path: string, operations: unknown, headers?: Record<string, string>) =>
    this.send('PATCH', path, { schemas: [PATCH], Operations: operations }, headers);

  /** The resources that a filter finds. */
  async find(kind: 'Users' | 'Groups', filter: string): Promise<ScimAnswer['body'][]> {
    const { status, body } = await this.get(`/${kind}?filter=${encodeURIComponent(filter)}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.Resources;
  }

  /** A new user, who is expected to be made. */
  async user(userName: string, attributes: object = {}): Promise<ScimAnswer['body']> {
    const { status, body } = await this.post('/Users', { schemas: [USER], userName, ...attributes });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }

  /** A new group of users, which is expected to be made. */
  async group(displayName: string, userIds: string[] = []): Promise<ScimAnswer['body']> {
    const members = userIds.map((value) => ({ value }));
    const { status, body } = await this.post('/Groups', { schemas: [GROUP], displayName, members });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }
}

/** An identity provider of an organization, with a token that an admin has made. */
export async function scimOf(admin: Client, organizationId: string): Promise<ScimClient> {
  const { status, body } = await admin.post(`/v1/orgs/${organizationId}/scim-tokens`, { label: 'Directory' });
  expect(status, JSON.stringify(body)).toBe(201);
  return new ScimClient(admin.url, organizationId, body.secret);
}
