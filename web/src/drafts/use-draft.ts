import { useCallback, useEffect, useRef, useState } from 'react';
import { isPassing } from '../relay/errors.ts';
import { pause } from '../relay/subscribe.ts';
import { makeKey, type Pending, readDraft, writeDraft } from './stored-draft.ts';

/**
 * What became of a text: there is nothing to send, it is only on this device, it is being sent, it waits for the connection, or the
 * service rejected it.
 */
export type DraftState = 'acknowledged' | 'kept' | 'sending' | 'waiting' | 'rejected';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 20_000;

export interface DraftOptions {
  /** Names the draft in this browser. */
  name: string;
  /** The text that the service has. */
  saved: string;
  /** Sends a text. It is called again with the same parameters until it succeeds or fails for good. */
  send: (pending: Pending) => Promise<void>;
}

/**
 * A text that is not lost: it is stored in this browser with each change until the service has acknowledged it, and is sent again
 * under the same idempotency key after a lost connection, even if the page was closed meanwhile.
 */
export function useDraft({ name, saved, send }: DraftOptions) {
  const [text, setText] = useState(() => readDraft(name)?.text ?? saved);
  const [state, setState] = useState<DraftState>(() => (readDraft(name) ? 'kept' : 'acknowledged'));
  const [error, setError] = useState<Error>();
  const latest = useRef({ text, send, isSending: false });
  latest.current.send = send;
  const ended = useRef(new AbortController());

  const write = useCallback(
    (next: string) => {
      latest.current.text = next;
      setText(next);
      setState((before) => (before === 'sending' || before === 'waiting' ? before : 'kept'));
      writeDraft(name, { text: next, pending: readDraft(name)?.pending });
    },
    [name],
  );

  const discard = useCallback(
    (next: string) => {
      latest.current.text = next;
      writeDraft(name, undefined);
      setText(next);
      setState('acknowledged');
      setError(undefined);
    },
    [name],
  );

  /** Sends the text as it is now. Returns whether the service has acknowledged it. */
  const submit = useCallback(
    async (base?: string): Promise<boolean> => {
      if (latest.current.isSending) return false;
      latest.current.isSending = true;
      const pending = readDraft(name)?.pending ?? { text: latest.current.text, idempotencyKey: makeKey(), base };
      writeDraft(name, { text: latest.current.text, pending });
      try {
        setError(undefined);
        for (let failures = 0; ; failures++) {
          setState('sending');
          try {
            await latest.current.send(pending);
            break;
          } catch (failure) {
            if (!isPassing(failure)) throw failure;
            setState('waiting');
            const { signal } = ended.current;
            await pause(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), signal);
            if (signal.aborted) return false;
          }
        }
        const isWhole = latest.current.text === pending.text;
        writeDraft(name, isWhole ? undefined : { text: latest.current.text });
        setState(isWhole ? 'acknowledged' : 'kept');
        return isWhole;
      } catch (failure) {
        // The text stays, under another key: an input that was rejected is not sent again.
        writeDraft(name, { text: latest.current.text });
        setError(failure as Error);
        setState('rejected');
        return false;
      } finally {
        latest.current.isSending = false;
      }
    },
    [name],
  );

  useEffect(() => {
    ended.current = new AbortController();
    if (readDraft(name)?.pending) void submit();
    return () => ended.current.abort();
  }, [name, submit]);

  return { text, state, error, write, submit, discard };
}
