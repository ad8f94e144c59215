import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

const MEGABYTE = 1024 * 1024;

export const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

export const members = (count: number) => Array.from({ length: count }, (_, index) => `"unknown${index}":1`).join();

const CREATE = 'mutation ($input: CreateSpaceInput!) { createSpace(input: $input) { space { id } } }';

export const query = (text: string) => ({ body: JSON.stringify({ query: text }) });

/** A request, of no headers but its own; a POST to the graph unless it says otherwise. */
export interface Sent {
  path?: string;
  method?: string;
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  headers?: Record<string, string>;
}

/** What a hostile client may send, by name. `spaceId` names a space that the caller may edit. */
export const hostileRequests = (spaceId: string): Record<string, () => Sent> => ({
  'depth 200': () => query(`{ collection(id: "x") ${'{ parent '.repeat(200)} { id } ${'} '.repeat(200)} }`),
  'depth 10,000': () => query(`${'{ a '.repeat(10_000)}${'}'.repeat(10_000)}`),
  '1,000 aliases': () => query(`{ ${times(1_000, (index) => `a${index}: __typename`)} }`),
  '1,000 directives': () => query(`{ viewer { id ${times(1_000, () => '@include(if: true)')} } }`),
  '5,000 duplicate fields': () => query(`{ viewer { ${times(5_000, () => 'id')} } }`),
  'fragment cycle': () => query('{ viewer { ...A } } fragment A on User { ...B } fragment B on User { ...A }'),
  'fragments that multiply': () =>
    query(
      `{ viewer { ...F0 } } ${times(200, (index) => `fragment F${index} on User { ...F${index + 1} ...F${index + 1} }`)} fragment F200 on User { id }`,
    ),
  'costly query': () =>
    query('{ viewer { organizations(first: 100) { nodes { spaces(first: 100) { nodes { id } } } } } }'),
  '8 MB of unknown members in variables': () => ({
    body: `{"query":${JSON.stringify(CREATE)},"variables":{"input":{${members(500_000)}}}}`,
  }),
  '9 MB of members to REST': () => ({ path: '/v1/orgs', body: `{${members(500_000)}}` }),
  '24 kB of fragments not spread': () =>
    query(
      `{ __typename } ${times(100, (index) => `fragment F${index} on User { ${times(9, () => 'organizations { nodes { id } }')} }`)}`,
    ),
  'array batch of 1,000': () => ({ body: JSON.stringify(Array(1_000).fill({ query: '{ viewer { id } }' })) }),
  'JSON nested 100,000 deep': () => ({ body: '['.repeat(100_000) + ']'.repeat(100_000) }),
  '9 MB of JSON': () => ({
    body: JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(9 * MEGABYTE) } }),
  }),
  '100 MB, declared': () => ({ body: new Uint8Array(100 * MEGABYTE) }),
  '100 MB, chunked': () => ({ body: chunks(100) }),
  'gzip bomb of 1 GB': () => ({ body: new Uint8Array(BOMB), headers: { 'content-encoding': 'gzip' } }),
  '200,000 characters of Markdown': () => edit(spaceId, 'word *other* `code` '.repeat(10_000)),
  'brackets in Markdown': () => edit(spaceId, '['.repeat(100_000)),
  'quotes 5,000 deep': () => edit(spaceId, `${'>'.repeat(5_000)} x`),
  'a document nested 10,000 deep': () => {
    const node = `{"object":"block","type":"blockquote","data":{},"nodes":[`;
    const document = `{"object":"document","data":{},"nodes":[${node.repeat(10_000)}${']}'.repeat(10_000)}]}`;
    return {
      ...contentOf(spaceId),
      body: `{"changes":[{"operation":"insert_page","title":"x","document":{"document":${document}}}]}`,
    };
  },
});

const BOMB = gzipSync(Buffer.alloc(1024 * MEGABYTE));

export const contentOf = (spaceId: string) => ({ path: `/v1/spaces/${spaceId}/content`, method: 'POST' });

export const edit = (spaceId: string, markdown: string): Sent => ({
  ...contentOf(spaceId),
  body: JSON.stringify({ changes: [{ operation: 'insert_page', title: 'Hostile', document: { markdown } }] }),
});

export const chunks = (megabytes: number): ReadableStream =>
  Readable.toWeb(
    Readable.from(
      (function* () {
        for (let sent = 0; sent < megabytes; sent++) yield Buffer.alloc(MEGABYTE, ' ');
      })(),
    ),
  ) as ReadableStream; // the same standard, typed twice
