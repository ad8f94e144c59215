import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { Client } from '../client.ts';

/** The version of the protocol without sessions. */
export const MODERN = '2026-07-28';

/**
 * A client of the public library, connected to `/mcp` until the end of the test. Without a version, it begins like
 * older ones.
 */
export async function connected({ url, token }: Pick<Client, 'url' | 'token'>, version?: typeof MODERN) {
  const negotiation = version === undefined ? {} : { versionNegotiation: { mode: { pin: version } } };
  const client = new McpClient({ name: 'test', version: '1' }, negotiation);
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

/** Follows resources, and returns the URIs of those that are followed and of those that have changed so far. */
export async function listen(client: McpClient, uris: string[]) {
  const updated: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
  const subscription = await client.listen({ resourceSubscriptions: uris });
  onTestFinished(() => subscription.close());
  return { updated, subscription, followed: subscription.honoredFilter.resourceSubscriptions ?? [] };
}

/** The message that opens a stream about resources, and the headers that repeat parts of it. */
export function listening(resourceSubscriptions: string[]) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { notifications: { resourceSubscriptions }, _meta };
  return {
    message: { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'subscriptions/listen',
    },
  };
}
