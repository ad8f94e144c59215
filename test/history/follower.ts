import { setTimeout as sleep } from 'node:timers/promises';
import type { Addresses } from './caller.ts';
import type { Followed } from './history.ts';

/** A reader of the event log of an organization, which begins after its first event. */
export interface Follower {
  readonly followed: Followed;
  /**
   * Breaks no connection any longer. Resolves when it has received the event; rejects after two minutes without one.
   */
  reach(eventId: string): Promise<void>;
  stop(): Promise<void>;
}

interface Source {
  addresses: Addresses;
  organizationId: string;
  token: string;
  /** The event that it begins after. */
  first: string;
  /** After these times, one after the other, it breaks its connection and goes on where it was. */
  cutsMs: readonly number[];
}

const RETRY_MS = 50;
const STALLED_MS = 120_000;
/** How often the list is asked for what is new. */
const LIST_MS = 500;

/** Reads the list of events in small pages: by the cursor of the list, and from the last event on. */
export function followByList(source: Source): Follower {
  const { addresses, organizationId, token } = source;
  return follow('list', source, async (state, signal) => {
    let query = `since=${state.last}`;
    while (!signal.aborted) {
      const url = addresses.urls[state.turn++ % addresses.urls.length];
      const response = await fetch(`${url}/v1/orgs/${organizationId}/events?limit=7&${query}`, {
        headers: { authorization: `Bearer ${token}` },
        signal,
      });
      if (!response.ok) throw new Error(`The list of events was answered with ${response.status}.`);
      const { items, next } = (await response.json()) as { items: { id: string }[]; next?: { page: string } };
      state.receive(items.map(({ id }) => id));
      // Pages of one list are of the filter that it began with.
      if (next) query = `${query.replace(/&page=.*/, '')}&page=${encodeURIComponent(next.page)}`;
      else query = `since=${state.last}`;
      if (!next) await sleep(LIST_MS, undefined, { signal });
    }
  });
}

/** Subscribes to events, and resumes after the last one. */
export function followByStream(source: Source): Follower {
  const { addresses, organizationId, token } = source;
  const query =
    'subscription($organizationId: ID!, $after: ID) { eventRecorded(organizationId: $organizationId, after: $after) { id } }';
  return follow('stream', source, async (state, signal) => {
    const url = addresses.urls[state.turn++ % addresses.urls.length];
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables: { organizationId, after: state.last } }),
      signal,
    });
    if (!response.ok) throw new Error(`The subscription was answered with ${response.status}.`);
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^event: next$/m.test(frame) ? /^data: (.*)$/m.exec(frame)?.[1] : undefined;
        const id = data === undefined ? undefined : JSON.parse(data).data?.eventRecorded?.id;
        if (id !== undefined) state.receive([id]);
      }
    }
  });
}

interface State {
  last: string;
  turn: number;
  receive(ids: string[]): void;
}

/** Reads again and again, each time after the last event that was received. */
function follow(
  name: Followed['name'],
  { first, cutsMs }: Source,
  read: (state: State, signal: AbortSignal) => Promise<void>,
): Follower {
  const followed: Followed = { name, received: [], resumed: 0 };
  const stopping = new AbortController();
  let isCut = true;
  let cutTimer: NodeJS.Timeout | undefined;
  let lastError: unknown;
  const state: State = {
    last: first,
    turn: 0,
    receive(ids) {
      followed.received.push(...ids);
      state.last = ids.at(-1) ?? state.last;
    },
  };
  const reading = (async () => {
    while (!stopping.signal.aborted) {
      const cutMs = cutsMs[followed.resumed % cutsMs.length] ?? 1_000;
      const cut = new AbortController();
      if (isCut) cutTimer = setTimeout(() => cut.abort(), cutMs);
      await read(state, AbortSignal.any([stopping.signal, cut.signal])).catch((error: unknown) => {
        lastError = error;
      });
      clearTimeout(cutTimer);
      followed.resumed++;
      if (!cut.signal.aborted) await sleep(RETRY_MS);
    }
  })();
  return {
    followed,
    async reach(eventId) {
      isCut = false;
      clearTimeout(cutTimer);
      let count = -1;
      for (let since = 0; !followed.received.includes(eventId); await sleep(RETRY_MS)) {
        if (followed.received.length > count) {
          count = followed.received.length;
          since = performance.now();
        } else if (performance.now() - since > STALLED_MS) {
          const message = `The reader "${name}" did not catch up with ${eventId}: ${count} events, and no other for two minutes.`;
          throw new Error(message, { cause: lastError });
        }
      }
    },
    async stop() {
      stopping.abort();
      await reading;
    },
  };
}
