import type { Ground } from './attack-plan.ts';
import { times } from './hostile-requests.ts';

/** Connections that send what they send and then wait. They are closed after 40 seconds, and opened again. */
export interface Siege {
  name: string;
  connections: number;
  isAnonymous?: true;
  path: string;
  method?: 'GET';
  headers?: Record<string, string>;
  /** What is sent of the body. */
  body?: string;
  /** Length of the body that is declared, if it is not all sent. */
  declared?: number;
  /** Whether the response is left where it is. */
  isUnread?: true;
}

const MEGABYTE = 1024 * 1024;

/** 7.6 MB of text, more than connections buffer. */
const longTexts = ({ longSpaceId }: Ground) => {
  const texts = times(10, (index) => `t${index}: markdown`);
  const pages = times(4, (index) => `p${index}: page(path: "page-${index}") { ... on DocumentPage { ${texts} } }`);
  return `{ space(id: "${longSpaceId}") { revision { ${pages} } } }`;
};

export function siegePlan(ground: Ground): Siege[] {
  const body = JSON.stringify({ query: longTexts(ground) });
  const events = { accept: 'text/event-stream' };
  const signed = { 'x-hub-signature-256': 'sha256=00' };
  return [
    {
      name: 'bodies that stall',
      connections: 150,
      isAnonymous: true,
      path: '/graphql',
      body: ' '.repeat(30_000),
      declared: 60_000,
    },
    { name: 'responses that are not read', connections: 20, path: '/graphql', body, isUnread: true },
    {
      name: 'event streams that are not read',
      connections: 20,
      path: '/graphql',
      headers: events,
      body,
      isUnread: true,
    },
    {
      name: 'llms-full that is not read',
      connections: 40,
      isAnonymous: true,
      method: 'GET',
      path: `${ground.longSitePath}/llms-full.txt`,
      isUnread: true,
    },
    {
      name: 'signed hooks that stall',
      connections: 120,
      isAnonymous: true,
      // Hooks that do not exist are received like others.
      path: '/v1/hooks/git/gitconnection_00000000000000000000000000',
      headers: signed,
      body: 'x'.repeat(200_000),
      declared: MEGABYTE,
    },
  ];
}
