import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, vi } from 'vitest';
import type { World } from '../../world.ts';

type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** A server of specifications on this machine. Its files can be changed; `asked` has the requests. */
export async function makeSpecServer(files: Record<string, Answer>) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const answer = files[request.url ?? ''];
    if (typeof answer === 'function') answer(request, response);
    else if (answer === undefined) response.writeHead(404).end('no');
    else {
      const etag = `"${Buffer.from(answer).toString('base64url').slice(-40)}"`;
      const isSame = request.headers['if-none-match'] === etag;
      response.writeHead(isSame ? 304 : 200, { etag, 'content-type': 'text/plain' }).end(isSame ? '' : answer);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return { url, files, asked };
}

/** Specifications of the world's organization. The world must run workers. */
export function specifying({ admin, organizationId, reader }: World) {
  const all = `/v1/orgs/${organizationId}/openapi`;
  const read = async (slug: string) => (await reader.get(`${all}/${slug}`)).body;
  const processed = async (slug: string) => {
    const isComplete = async () => expect((await read(slug)).processingState).toBe('complete');
    await vi.waitFor(isComplete, { timeout: 25_000, interval: 50 });
    return read(slug);
  };
  return {
    all,
    read,
    processed,
    /** Creates or replaces a specification and waits until it is processed. */
    async put(slug: string, source: { text: string } | { url: string }) {
      const { body, status } = await admin.put(`${all}/${slug}`, { source });
      expect([body.error, status < 300]).toEqual([undefined, true]);
      return processed(slug);
    },
    versions: async (slug: string) => (await reader.get(`${all}/${slug}/versions`)).body.items,
    content: async (slug: string) => (await reader.get(`${all}/${slug}/versions/latest/content`)).body,
  };
}

/** A specification of pets, in OpenAPI 3.1. */
export const petsWith = (members: Record<string, unknown> = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0', description: 'All about **pets**.' },
  servers: [{ url: 'https://pets.example/v1' }],
  tags: [{ name: 'pets', description: 'Animals.' }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'List pets',
        tags: ['pets'],
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'Pets.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pets' } } },
          },
        },
      },
    },
    '/pets/{petId}': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'getPet',
        summary: 'Get a pet',
        tags: ['pets'],
        responses: {
          200: {
            description: 'A pet.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, parent: { $ref: '#/components/schemas/Pet' } },
      },
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
    },
  },
  ...members,
});

export const pets = (members: Record<string, unknown> = {}) => JSON.stringify(petsWith(members));
