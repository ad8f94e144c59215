import {
  type CacheConfig,
  type GraphQLResponse,
  Observable,
  type RequestParameters,
  type SubscribeFunction,
  type Variables,
} from 'relay-runtime';
import { errorOf, GraphError, isPassing } from './errors.ts';
import { eventsOf } from './event-stream.ts';
import { requestOf } from './request.ts';

/** What a subscription may put in `cacheConfig.metadata`. */
export interface StreamMetadata {
  /**
   * Called when events may have been missed: the stream broke before its first event, so that nothing says where to
   * resume.
   */
  onGap?: () => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Follows a subscription over server-sent events. After a disconnect the stream continues behind the last event that
 * was received (`Last-Event-ID`). Hidden tabs close their streams, since browsers allow few connections to a host, and
 * resume them when they are shown.
 */
export const subscribe: SubscribeFunction = (request, variables, cacheConfig) =>
  Observable.create<GraphQLResponse>((sink) => {
    const aborter = new AbortController();
    follow(request, variables, cacheConfig, aborter.signal, sink.next).then(sink.complete, (error: Error) => {
      if (!aborter.signal.aborted) sink.error(error);
    });
    return () => aborter.abort();
  });

async function follow(
  request: RequestParameters,
  variables: Variables,
  { metadata }: CacheConfig,
  signal: AbortSignal,
  onResult: (result: GraphQLResponse) => void,
): Promise<void> {
  const { onGap } = (metadata ?? {}) as StreamMetadata;
  let lastEventId: string | undefined;
  let failures = 0;
  let wasOpen = false;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const wasHidden = document.hidden;
    await isShown(signal);
    const hidden = new AbortController();
    const hide = () => document.hidden && hidden.abort();
    document.addEventListener('visibilitychange', hide);
    try {
      const init = requestOf(request, variables, 'text/event-stream');
      const headers = { ...init.headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
      const response = await fetch('/graphql', { ...init, headers, signal: AbortSignal.any([signal, hidden.signal]) });
      if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
        const error = errorOf(await response.json());
        if (error && !isPassing(error) && response.status < 500) throw error;
        failures++;
      } else {
        wasOpen = true;
        // What the view shows was read before the tab was hidden, or before the stream broke.
        if ((!isFirst || wasHidden) && lastEventId === undefined) onGap?.();
        for await (const event of eventsOf(response.body)) {
          if (event.type === 'complete') return;
          const result = JSON.parse(event.data);
          const error = errorOf(result);
          if (error) throw error;
          lastEventId = event.id ?? lastEventId;
          failures = 0;
          onResult(result);
        }
      }
    } catch (error) {
      // Other errors pass: the database of the service may be out of reach for a while.
      if (error instanceof GraphError && !isPassing(error)) {
        if (error.code === 'UNAUTHENTICATED') {
          await isBack(signal);
          // Another person may be signed in now, as whom nothing of this view must be sent. Drafts are stored.
          if (wasOpen && !signal.aborted) window.location.reload();
        } else if (lastEventId === undefined) throw error;
        // The service may have removed the event: the stream begins anew, and `onGap` is called.
        lastEventId = undefined;
      }
      failures++;
    } finally {
      document.removeEventListener('visibilitychange', hide);
    }
    if (!document.hidden) await pause(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), signal);
  }
}

/** Waits until the tab or its window is shown or focused again: people sign in in another one. */
const isBack = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', done);
      window.removeEventListener('focus', done);
      resolve();
    };
    document.addEventListener('visibilitychange', done);
    window.addEventListener('focus', done);
    signal.addEventListener('abort', done, { once: true });
  });

/** Waits until the tab is shown. */
const isShown = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (!document.hidden || signal.aborted) return resolve();
    const done = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', done);
      resolve();
    };
    document.addEventListener('visibilitychange', done);
    signal.addEventListener('abort', done, { once: true });
  });

/** Waits for a time, or until the network is back. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done, { once: true });
  });
