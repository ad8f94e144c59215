import type { Client } from '../client.ts';

/** What came back for a message, and its size with that of the message. */
interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  body: any;
  headers: Headers;
  bytes: number;
}

/** The result of a tool. */
interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  data: any;
  /** What to do about conflicts. */
  remedy: string | undefined;
  /** What was left out. */
  leftOut: string[] | undefined;
  text: string;
  isError: boolean;
  bytes: number;
}

/** A client of the endpoint `/mcp` with the token of a user. It counts its calls and their bytes in both directions. */
export class McpAgent {
  readonly #client: Pick<Client, 'url' | 'token'>;
  calls = 0;
  bytes = 0;
  /** Size of the largest result of a tool. */
  largest = 0;

  constructor(client: Pick<Client, 'url' | 'token'>) {
    this.#client = client;
  }

  async send(message: object, headers: Record<string, string> = {}): Promise<Answered> {
    const { url, token } = this.#client;
    const sent = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: sent,
    });
    const text = await response.text();
    const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
    const bytes = Buffer.byteLength(sent) + Buffer.byteLength(text);
    return {
      status: response.status,
      headers: response.headers,
      body: data === '' ? undefined : JSON.parse(data),
      bytes,
    };
  }

  /** Calls a tool, whatever it answers. */
  async try(name: string, given: object): Promise<Called> {
    const { body, bytes } = await this.send({ method: 'tools/call', params: { name, arguments: given } });
    const { result } = body;
    if (result === undefined) throw new Error(`${name}: ${JSON.stringify(body)}`);
    this.calls += 1;
    this.bytes += bytes;
    this.largest = Math.max(this.largest, Buffer.byteLength(JSON.stringify(result)));
    const { structuredContent, content, isError = false } = result;
    const { data, remedy, leftOut } = structuredContent ?? {};
    return { data, remedy, leftOut, text: content[0].text, isError, bytes };
  }

  /** Calls a tool that must succeed, and returns its data. */
  async call(name: string, given: object): Promise<Called['data']> {
    const { data, text, isError } = await this.try(name, given);
    if (isError) throw new Error(`${name}: ${text}`);
    return data;
  }
}

/** The message that a client begins with. */
export const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
