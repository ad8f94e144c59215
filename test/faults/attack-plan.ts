import { contentOf, edit, hostileRequests, members, query, type Sent, times } from './hostile-requests.ts';

/** Where the attackers are at home, and what they prepared. */
export interface Ground {
  url: string;
  organizationId: string;
  /** Each in an account of its own. */
  tokens: string[];
  /** A space to write in, one with a page of emoji, and one with many pages. */
  spaceId: string;
  emojiSpaceId: string;
  treeSpaceId: string;
  /** Spaces that archives are imported into, and the address of an archive. */
  importSpaceIds: string[];
  archiveUrl: string;
  /** Spaces with a drawing that refers to the host. */
  drawingSpaceIds: string[];
  /** A site with a hostile robots.txt. */
  siteUrl: string;
  /** A space with many long pages, `page-0` and so on, and the path of its published site. */
  longSpaceId: string;
  longSitePath: string;
}

/**
 * One kind of attack: `atOnce` senders, each of which waits after an answer, so that the limits of requests are used
 * up.
 */
export interface Attack {
  name: string;
  atOnce: number;
  pauseMs: number;
  isAnonymous?: true;
  make(turn: number): Sent | Promise<Sent>;
}

const MEGABYTE = 1024 * 1024;

const at = <Value>(values: readonly Value[], turn: number): Value => values[turn % values.length] as Value; // not empty

const variables = (text: string, value: unknown): Sent => ({ body: JSON.stringify({ query: text, variables: value }) });

const BOOLEAN = 'query ($flag: Boolean!) { viewer @include(if: $flag) { id } }';
const CREATE = 'mutation ($input: CreateSpaceInput!) { createSpace(input: $input) { space { id } } }';

const unknownVariables = (count: number): Sent => ({
  body: `{"query":${JSON.stringify(CREATE)},"variables":{"input":{${members(count)}}}}`,
});

/** Texts that are read for long, each at once one of its kind. */
const HOSTILE_TEXTS = [
  `a${' '.repeat(60_000)}b`,
  '{% a '.repeat(20_000),
  '\t'.repeat(100_000),
  '- a\n//'.repeat(13_000),
  '['.repeat(100_000),
  '* - a\n'.repeat(12_000),
  '*_'.repeat(50_000),
  '😀'.repeat(60_000),
  '<a '.repeat(30_000),
];

export function attackPlan(ground: Ground): Attack[] {
  const { spaceId, emojiSpaceId, treeSpaceId, organizationId } = ground;
  const anonymous = (name: string, make: Attack['make'], atOnce = 2, pauseMs = 100): Attack => ({
    name: `${name}, anonymous`,
    isAnonymous: true,
    atOnce,
    pauseMs,
    make,
  });
  const known = (name: string, make: Attack['make'], atOnce = 2, pauseMs = 100): Attack => ({
    name,
    atOnce,
    pauseMs,
    make,
  });
  const tree = `space(id: "${treeSpaceId}") { revision { pages { ... on DocumentPage { title path pages { ... on PageNode { title path } } } } } }`;
  const various = Object.values(hostileRequests(spaceId));
  return [
    anonymous('"Did you mean" 4,000 times', () => variables(BOOLEAN, { flag: ' Did you mean '.repeat(4_000) })),
    anonymous(
      '"Did you mean" 400,000 times',
      () => variables(BOOLEAN, { flag: ' Did you mean '.repeat(400_000) }),
      1,
      2_000,
    ),
    known(
      '"Did you mean" 400,000 times',
      () => variables(BOOLEAN, { flag: ' Did you mean '.repeat(400_000) }),
      1,
      1_000,
    ),
    anonymous('llms-full of a large site', (turn) => ({
      method: 'GET',
      path: `${ground.longSitePath}/llms-full.txt/${1 + (turn % 2)}/${1 + (turn % 50)}`,
    })),
    anonymous('unknown variables, 60 kB', () => unknownVariables(3_500)),
    known('unknown variables, 8 MB', () => unknownVariables(500_000), 1, 1_000),
    anonymous('unknown variables, 8 MB', () => unknownVariables(500_000), 1, 2_000),
    anonymous('members to REST, 9 MB', () => ({ path: '/v1/orgs', body: `{${members(500_000)}}` }), 1, 2_000),
    known('members to REST, 9 MB', () => ({ path: '/v1/orgs', body: `{${members(500_000)}}` }), 1, 1_000),
    anonymous('fragments not spread', () =>
      query(
        `{ __typename } ${times(100, (index) => `fragment F${index} on User { ${times(9, () => 'organizations { nodes { id } }')} }`)}`,
      ),
    ),
    known('40 aliases of a tree of pages', () => query(`{ ${times(40, (index) => `a${index}: ${tree}`)} }`), 2, 500),
    // As many as a document may have.
    known('20 aliases of a tree of pages', () => query(`{ ${times(20, (index) => `a${index}: ${tree}`)} }`), 2, 500),
    known('5 aliases of a tree of pages', () => query(`{ ${times(5, (index) => `a${index}: ${tree}`)} }`), 2, 500),
    known('long path, graph', () =>
      query(`{ space(id: "${treeSpaceId}") { revision { page(path: "${'/'.repeat(200_000)}x") { title } } } }`),
    ),
    anonymous('long path, graph', () =>
      query(`{ space(id: "${treeSpaceId}") { revision { page(path: "${'/'.repeat(60_000)}x") { title } } } }`),
    ),
    anonymous('long path, REST', () => ({
      method: 'GET',
      path: `/v1/spaces/${treeSpaceId}/content/path/${'%2F'.repeat(4_000)}x`,
    })),
    known(
      'page of emoji as Markdown',
      () => ({
        method: 'GET',
        path: `/v1/spaces/${emojiSpaceId}/content/path/emoji?format=markdown`,
      }),
      2,
      500,
    ),
    known('flood of hostile texts', (turn) => edit(spaceId, at(HOSTILE_TEXTS, turn)), 40, 50),
    known('everything else that is hostile', (turn) => at(various, turn)(), 2, 500),
    anonymous('everything else that is hostile', (turn) => at(various, turn)(), 2, 500),
    known(
      'imports',
      (turn) => ({
        path: `/v1/spaces/${at(ground.importSpaceIds, turn)}/content/import`,
        body: JSON.stringify({ url: ground.archiveUrl, source: 'zip' }),
      }),
      12,
      500,
    ),
    known(
      'imports of a site with a hostile robots.txt',
      (turn) => ({
        path: `/v1/spaces/${at(ground.importSpaceIds, turn)}/content/import`,
        body: JSON.stringify({ url: ground.siteUrl, source: 'website' }),
      }),
      2,
      1_000,
    ),
    known('PDFs whose drawings refer to the host', (turn) => pdfOf(ground, turn), 4, 500),
    known(
      'uploads of 250 MB, declared',
      () => ({
        path: `/v1/orgs/${organizationId}/uploads?name=a.zip`,
        body: new Uint8Array(250 * MEGABYTE),
      }),
      1,
      20_000,
    ),
    known(
      'uploads that end in the middle',
      () => ({
        path: `/v1/orgs/${organizationId}/uploads?name=a.zip`,
        body: brokenStream(20),
      }),
      2,
      3_000,
    ),
    known(
      'files of 9 MB in a change that is refused',
      () => ({
        ...contentOf(spaceId),
        body: JSON.stringify({
          changes: [
            { operation: 'insert_files', files: [{ name: 'x.bin', base64: 'A'.repeat(8 * MEGABYTE), ref: 'f' }] },
            { operation: 'delete_page', page: 'absent' },
          ],
        }),
      }),
      1,
      2_000,
    ),
  ];
}

/** Asks for the address first, as anybody would. */
async function pdfOf({ url, tokens, drawingSpaceIds }: Ground, turn: number): Promise<Sent> {
  const token = at(tokens, turn);
  // Another page each time, or all would be answered by the first that was printed.
  const path = `/v1/spaces/${at(drawingSpaceIds, turn)}/pdf`;
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const { url: link } = (await response.json()) as { url?: string };
  const address = new URL(link ?? `${url}${path}`);
  return { method: 'GET', path: `${address.pathname}${address.search}` };
}

const brokenStream = (megabytes: number): ReadableStream => {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ < megabytes) controller.enqueue(new Uint8Array(MEGABYTE));
      else controller.error(new Error('The sender gave up.'));
    },
  });
};
