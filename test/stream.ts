import { expect } from 'vitest';
import type { App } from '../src/app.ts';
import type { Client } from './client.ts';
import { settled } from './settled.ts';

interface Frame {
  event?: string;
  id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  data?: any;
  isComment?: boolean;
}

/** What opens a stream. */
export interface StreamRequest {
  query: string;
  variables: object;
  method?: 'GET';
  headers?: Record<string, string>;
}

/** A subscription that has begun: what happens from now on comes. One that is refused is answered. */
export async function follow({ services }: App, client: Client, request: StreamRequest): Promise<Stream> {
  await settled(services.db);
  return new Stream(client, request).opened();
}

/** An open stream of server-sent events: what came, and whether it is over. */
export class Stream {
  readonly frames: Frame[] = [];
  status = 0;
  type = '';
  isOver = false;
  readonly #abort = new AbortController();

  constructor(client: Client, request: StreamRequest) {
    void this.#read(client, request).catch(() => {
      this.isOver = true;
    });
  }

  async #read(client: Client, { query, variables, method, headers }: StreamRequest) {
    const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
    const response = await fetch(`${client.url}/graphql${method ? `?${parameters}` : ''}`, {
      method: method ?? 'POST',
      headers: {
        accept: 'text/event-stream',
        ...(method ? {} : { 'content-type': 'application/json' }),
        ...(client.token && { authorization: `Bearer ${client.token}` }),
        ...headers,
      },
      ...(method ? {} : { body: JSON.stringify({ query, variables }) }),
      signal: this.#abort.signal,
    });
    this.status = response.status;
    this.type = response.headers.get('content-type') ?? '';
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      this.frames.push(...parts.map(frameOf));
    }
    this.isOver = true;
  }

  /** What `next` frames brought. */
  get answers() {
    return this.frames.filter(({ event }) => event === 'next').map(({ data }) => data);
  }

  get isComplete() {
    return this.frames.at(-1)?.event === 'complete';
  }

  async opened(): Promise<this> {
    await expect.poll(() => this.frames.length, { interval: 5 }).toBeGreaterThan(0);
    return this;
  }

  close(): void {
    this.#abort.abort();
  }
}

function frameOf(text: string): Frame {
  if (text.startsWith(':')) return { isComment: true };
  const fields = Object.fromEntries(text.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line)?.slice(1) ?? []));
  return { ...fields, ...(fields.data && { data: JSON.parse(fields.data) }) };
}
