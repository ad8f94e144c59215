import { setTimeout as sleep } from 'node:timers/promises';
import { type FinalState, type LoggedEvent, wordsIn } from './history.ts';
import type { Scene } from './scene.ts';

const PAGE_OF_LIST = 100;
const ATTEMPTS = 100;
const RETRY_MS = 100;

/** Reads what the service shows when nothing is under way, by the public interface. */
export async function readFinalState(url: string, scene: Scene): Promise<FinalState> {
  const reader = new Reader(url, scene.admin.token);
  const state: FinalState = { revisions: {}, pages: {}, comments: {}, events: [] };
  for (const spaceId of [scene.spaceId, scene.guardedSpaceId]) {
    state.revisions[spaceId] = await revisionsOf(reader, spaceId);
    state.pages[spaceId] = await pagesOf(reader, spaceId);
    state.comments[spaceId] = await commentsOf(reader, spaceId);
  }
  state.events = await eventsOf(reader, scene.organizationId);
  return state;
}

/** The log as it is: events of commands that are under way follow. */
export async function eventsOf(reader: Reader, organizationId: string): Promise<LoggedEvent[]> {
  const items = await reader.all(`/v1/orgs/${organizationId}/events`);
  return items.map(({ id, type, space, ids }) => ({ id, kind: type, ...(space && { spaceId: space }), ids }));
}

async function revisionsOf(reader: Reader, spaceId: string) {
  const query = `query($spaceId: ID!, $after: String) { space(id: $spaceId) {
    revisions(first: 100, after: $after) { nodes { id parents { id } } pageInfo { hasNextPage endCursor } } } }`;
  const revisions: FinalState['revisions'][string] = [];
  for (let after: string | null = null; ; ) {
    const { data } = await reader.ask('/graphql', { query, variables: { spaceId, after } });
    const { nodes, pageInfo } = data.space.revisions;
    for (const { id, parents } of nodes) revisions.push({ id, parentId: parents[0]?.id });
    if (!pageInfo.hasNextPage) return revisions;
    after = pageInfo.endCursor;
  }
}

async function pagesOf(reader: Reader, spaceId: string): Promise<Record<string, string[]>> {
  const query = `query($spaceId: ID!, $after: String) { space(id: $spaceId) { revision {
    allPages(first: 50, after: $after) { nodes { pageId ... on DocumentPage { markdown } } pageInfo { hasNextPage endCursor } } } } }`;
  const pages: Record<string, string[]> = {};
  for (let after: string | null = null; ; ) {
    const { data } = await reader.ask('/graphql', { query, variables: { spaceId, after } });
    const { nodes, pageInfo } = data.space.revision.allPages;
    for (const { pageId, markdown } of nodes) pages[pageId] = wordsIn(markdown ?? '');
    if (!pageInfo.hasNextPage) return pages;
    after = pageInfo.endCursor;
  }
}

async function commentsOf(reader: Reader, spaceId: string): Promise<Record<string, string[]>> {
  const items = await reader.all(`/v1/spaces/${spaceId}/comments`, 'format=markdown');
  return Object.fromEntries(items.map(({ id, body }) => [id, wordsIn(body.markdown)]));
}

export class Reader {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Repeats a read until it succeeds: a server that was just started may need a moment. */
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of an answer.
  async ask(path: string, body?: unknown): Promise<any> {
    let found = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        const response = await fetch(`${this.#url}${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        const answer = JSON.parse(text);
        if (response.ok && !answer.errors) return answer;
        found = text;
      } catch (error) {
        found = String(error);
      }
      await sleep(RETRY_MS);
    }
    throw new Error(`${path} cannot be read: ${found.slice(0, 500)}`);
  }

  /** All items of a list of REST. */
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of an answer.
  async all(path: string, query = ''): Promise<any[]> {
    // biome-ignore lint/suspicious/noExplicitAny: the JSON of an answer.
    const items: any[] = [];
    for (let page = ''; ; ) {
      const answer = await this.ask(`${path}?limit=${PAGE_OF_LIST}&${query}${page}`);
      items.push(...answer.items);
      if (!answer.next) return items;
      page = `&page=${encodeURIComponent(answer.next.page)}`;
    }
  }
}
