import { setTimeout as sleep } from 'node:timers/promises';

/** Somebody with an organization of their own, who reads and writes there. */
export interface Person {
  url: string;
  token: string;
  address: string;
  organizationId: string;
  spaceIds: string[];
  pageIds: string[];
}

/** One thing that people do. */
export interface Deed {
  kind: string;
  status: string;
  ms: number;
  /** When it began, in milliseconds of this process. */
  began: number;
  /** What came with a status that nobody expects. */
  body?: string;
}

interface Act {
  kind: string;
  method?: string;
  path: string;
  body?: unknown;
}

const NESTED = `query ($org: ID!) { organization(id: $org) { title spaces(first: 20) { nodes { id title
  changeRequests(first: 10, status: ALL) { nodes { id number subject createdBy { id displayName }
  comments(first: 5) { nodes { id postedAt body { markdown } postedBy { id displayName } } } } } } } } }`;
const PAGE = `query ($space: ID!) { space(id: $space) { title revision { page(path: "page-3") { ... on DocumentPage {
  pageId title markdown links(first: 20) { stats { total } } } } } } }`;
const TEXT = 'A paragraph of **plain** words with `code`, as people write them.\n\n- One\n- Two\n\n';

const graph = (kind: string, query: string, variables: unknown): Act => ({
  kind,
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});

/** What somebody does next; reading is more frequent than writing. */
function next({ organizationId: org, spaceIds, pageIds }: Person, turn: number): Act {
  const space = spaceIds[turn % spaceIds.length] ?? '';
  const first = spaceIds[0] ?? '';
  const acts: Act[] = [
    graph('graph: nested', NESTED, { org }),
    { kind: 'REST: page tree', path: `/v1/spaces/${space}/content/pages` },
    graph('graph: page', PAGE, { space: first }),
    { kind: 'REST: space', path: `/v1/spaces/${space}` },
    {
      kind: 'edit a page',
      method: 'POST',
      path: `/v1/spaces/${first}/content`,
      body: {
        changes: [
          {
            operation: 'update_page',
            page: pageIds[turn % pageIds.length],
            document: { markdown: `${TEXT.repeat(20)}Turn ${turn}` },
          },
        ],
      },
    },
    { kind: 'REST: page as Markdown', path: `/v1/spaces/${first}/content/path/page-${turn % 20}?format=markdown` },
    {
      kind: 'post a comment',
      method: 'POST',
      path: `/v1/spaces/${space}/comments`,
      body: { body: { markdown: `Is this **still** true? ${turn}` } },
    },
    { kind: 'REST: search', path: `/v1/spaces/${first}/search?limit=10&query=plain` },
    {
      kind: 'create a change request',
      method: 'POST',
      path: `/v1/spaces/${space}/change-requests`,
      body: { subject: `Change ${turn}` },
    },
    { kind: 'REST: spaces', path: `/v1/orgs/${org}/spaces` },
  ];
  return acts[turn % acts.length] as Act; // not empty
}

/** Does one thing after the other at the pace of a human, one to four seconds apart, and tells of each. */
export async function live(person: Person, seed: number, signal: AbortSignal, tell: (deed: Deed) => void) {
  for (let turn = seed; !signal.aborted; turn++) {
    await sleep(1_000 + Math.random() * 3_000);
    if (!signal.aborted) tell(await act(person, next(person, turn)));
  }
}

export async function act({ url, token, address }: Person, { kind, method = 'GET', path, body }: Act): Promise<Deed> {
  const began = performance.now();
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-forwarded-for': address },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const ms = performance.now() - began;
    const hasErrors = path === '/graphql' && text.startsWith('{"errors"');
    const status = hasErrors ? `${response.status} with errors` : String(response.status);
    return { kind, status, ms, began, ...((!response.ok || hasErrors) && { body: text.slice(0, 300) }) };
  } catch (error) {
    return { kind, status: 'broken', ms: performance.now() - began, began, body: String(error) };
  }
}
