import { expectDescribed } from './description.ts';
import { describedAt, expectShape } from './shapes.ts';

/** What came back over REST. */
export interface RestAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  body: any;
}

/** An error of the graph, thrown by `graphql` so that a test can match its code. */
export class GraphError extends Error {
  readonly code: string;
  // biome-ignore lint/suspicious/noExplicitAny: as it came.
  readonly errors: any[];

  // biome-ignore lint/suspicious/noExplicitAny: as it came.
  constructor(errors: any[]) {
    super(errors.map(({ message }) => message).join('; '));
    this.code = errors[0]?.extensions?.code;
    this.errors = errors;
  }
}

/** One caller of a running service, by both transports. */
export class Client {
  readonly url: string;
  readonly userId: string;
  readonly token: string | undefined;

  constructor(url: string, token?: string, userId = '') {
    this.url = url;
    this.token = token;
    this.userId = userId;
  }

  /** Sends a document to the graph and answers its data; any error is thrown. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  async graphql(query: string, variables: Record<string, unknown> = {}): Promise<any> {
    const { body } = await this.graphqlRaw(query, variables);
    if (body.errors) throw new GraphError(body.errors);
    return body.data;
  }

  /** The same with partial data, errors and headers as they came. */
  async graphqlRaw(query: string, variables: Record<string, unknown> = {}): Promise<RestAnswer> {
    return this.send('POST', '/graphql', { query, variables });
  }

  /** Runs a mutation by name; `selection` is what the payload is asked for. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  async mutate(name: string, input: Record<string, unknown>, selection: string): Promise<any> {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const data = await this.graphql(`mutation($input: ${type}!) { ${name}(input: $input) { ${selection} } }`, {
      input,
    });
    return data[name];
  }

  get(path: string): Promise<RestAnswer> {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown): Promise<RestAnswer> {
    return this.send('POST', path, body);
  }

  put(path: string, body?: unknown): Promise<RestAnswer> {
    return this.send('PUT', path, body);
  }

  patch(path: string, body?: unknown): Promise<RestAnswer> {
    return this.send('PATCH', path, body);
  }

  delete(path: string): Promise<RestAnswer> {
    return this.send('DELETE', path);
  }

  /** `send`, expecting the answer to have the shape that the public description gives for the operation. */
  async restAs(
    operationId: string,
    method: string,
    path: string,
    body?: unknown,
    options: { beyond?: boolean } = {},
  ): Promise<RestAnswer> {
    const answer = await this.send(method, path, body);
    expectShape(operationId, answer.status, answer.body, options);
    return answer;
  }

  /** Every answer is expected to be as our description says, and the public one if that knows the address. */
  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<RestAnswer> {
    const response = await fetch(path.startsWith('http') ? path : `${this.url}${path}`, {
      method,
      headers: {
        // Tests of compression ask for it. Compressing a response takes longer than most requests.
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    } as RequestInit);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
    const described = method === 'HEAD' ? undefined : describedAt(method, path);
    if (described) expectShape(described.operationId, answer.status, answer.body);
    if (method !== 'HEAD') expectDescribed(method, path, answer);
    return answer;
  }
}

/** How many statements an answer took, by its `Server-Timing`. */
export const statementsOf = ({ headers }: RestAnswer) =>
  Number(/desc="(\d+)"/.exec(headers.get('server-timing') ?? '')?.[1]);
