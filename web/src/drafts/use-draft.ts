import { useCallback, useEffect, useRef, useState } from 'react';
import { isPassing } from '../relay/errors.ts';
import { pause } from '../relay/subscribe.ts';
import { rebase } from './rebase.ts';
import { makeKey, type Pending, readDraft, writeDraft } from './stored-draft.ts';

/**
 * What became of a text: there is nothing to send, it is only on this device, it is being sent, it waits for the
 * connection, or the service rejected it.
 */
export type DraftState = 'acknowledged' | 'kept' | 'sending' | 'waiting' | 'rejected';

/** What the service has after it acknowledged a text. */
export interface Acknowledgement {
  /** What the next text is written upon. */
  base?: string | undefined;
  /** The text with the edits of others, if there were any. */
  merged?: string | undefined;
}

export interface DraftOptions {
  /** Names the draft in this browser, as `useDraftName` returns it. */
  name: string;
  /** The text that the service has, and what it is called there. */
  saved: string;
  base?: string | undefined;
  /** Sends a text. It is called again with the same parameters until it succeeds or fails for good. */
  send: (pending: Pending) => Promise<Acknowledgement>;
}

/** What the text is now, for work that outlasts a render. */
interface Latest {
  text: string;
  base: string | undefined;
  state: DraftState;
  /** What was sent and not yet acknowledged. Storage has it too, but other tabs write there. */
  pending: Pending | undefined;
  sending: Promise<boolean> | undefined;
  send: DraftOptions['send'];
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 20_000;

/**
 * A text that is not lost: this browser stores it with each change until the service has acknowledged it. After a lost
 * connection it is sent again under the same idempotency key, even if the page was closed meanwhile.
 */
export function useDraft({ name, saved, base, send }: DraftOptions) {
  const [stored] = useState(() => readDraft(name));
  const [text, setText] = useState(stored?.text ?? saved);
  const [state, setState] = useState<DraftState>(stored ? 'kept' : 'acknowledged');
  const [error, setError] = useState<Error>();
  const latest = useRef<Latest>({
    text,
    base: stored?.base ?? base,
    state,
    pending: stored?.pending,
    sending: undefined,
    send,
  });
  latest.current.send = send;
  const ended = useRef(new AbortController());

  const become = useCallback((next: DraftState) => {
    latest.current.state = next;
    setState(next);
  }, []);

  const show = useCallback(
    (next: string, isSaved: boolean) => {
      const { text: former, base: writtenUpon, pending } = latest.current;
      latest.current.text = next;
      if (!isSaved) writeDraft(name, { text: next, base: writtenUpon, pending });
      // Another tab with the same page may have stored a text of its own.
      else if (readDraft(name)?.text === former) writeDraft(name, undefined);
      setText(next);
    },
    [name],
  );

  const write = useCallback(
    (next: string) => {
      show(next, false);
      if (latest.current.state !== 'sending' && latest.current.state !== 'waiting') become('kept');
    },
    [show, become],
  );

  /** Forgets the text for one that the service has. */
  const reset = useCallback(
    (next: string, newBase?: string) => {
      latest.current.base = newBase;
      show(next, true);
      become('acknowledged');
      setError(undefined);
    },
    [show, become],
  );

  const sendOnce = useCallback(
    async (newBase?: string): Promise<boolean> => {
      const now = latest.current;
      const { signal } = ended.current;
      // The author has left this view and goes on with the text in another one.
      const isTakenOver = () => signal.aborted && readDraft(name)?.text !== now.text;
      now.base = newBase ?? now.base;
      const pending = now.pending ?? { text: now.text, base: now.base, idempotencyKey: makeKey() };
      now.pending = pending;
      writeDraft(name, { text: now.text, base: now.base, pending });
      setError(undefined);
      try {
        const acknowledged = await sendUntilAnswered(pending, latest, signal, become);
        if (!acknowledged || isTakenOver()) return false;
        const isWhole = now.text === pending.text;
        const { merged } = acknowledged;
        const next = merged === undefined || merged === now.text ? now.text : rebase(pending.text, now.text, merged);
        if (next === undefined)
          throw new Error('Somebody else has edited the same place. Copy your text, then discard it');
        now.base = acknowledged.base;
        now.pending = undefined;
        show(next, isWhole);
        become(isWhole ? 'acknowledged' : 'kept');
        return isWhole;
      } catch (failure) {
        if (isTakenOver()) return false;
        // The text stays, under another key: an input that was rejected is not sent again.
        now.pending = undefined;
        writeDraft(name, { text: now.text, base: now.base });
        setError(failure as Error);
        become('rejected');
        return false;
      }
    },
    [name, show, become],
  );

  /**
   * Sends the text as it is now, or upon another base. Returns whether the service has acknowledged it. False at once
   * while another text is being sent.
   */
  const submit = useCallback(
    async (newBase?: string): Promise<boolean> => {
      const now = latest.current;
      if (now.sending) return false;
      now.sending = sendOnce(newBase);
      try {
        return await now.sending;
      } finally {
        now.sending = undefined;
      }
    },
    [sendOnce],
  );

  /** Sends what is not sent yet, after what is being sent. For authors who leave the text. */
  const flush = useCallback(async () => {
    await latest.current.sending;
    if (latest.current.state === 'kept') await submit();
  }, [submit]);

  useEffect(() => {
    ended.current = new AbortController();
    if (latest.current.pending) void submit();
    return () => ended.current.abort();
  }, [submit]);

  return { text, state, error, write, submit, flush, reset };
}

/** Sends a text again and again while the service cannot be reached. Undefined if the page was left meanwhile. */
async function sendUntilAnswered(
  pending: Pending,
  latest: { current: Pick<DraftOptions, 'send'> },
  signal: AbortSignal,
  setState: (state: DraftState) => void,
): Promise<Acknowledgement | undefined> {
  for (let failures = 0; ; failures++) {
    setState('sending');
    try {
      return await latest.current.send(pending);
    } catch (failure) {
      if (!isPassing(failure)) throw failure;
      setState('waiting');
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), signal);
      if (signal.aborted) return undefined;
    }
  }
}
