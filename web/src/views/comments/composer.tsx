import { type FormEvent, Suspense, useId } from 'react';
import { DraftStatus } from '../../drafts/draft-status.tsx';
import type { Pending } from '../../drafts/stored-draft.ts';
import { useDraft } from '../../drafts/use-draft.ts';
import { useDraftName } from '../../drafts/use-draft-name.ts';

interface Props {
  /** Names the draft. */
  name: string;
  label: string;
  send: (pending: Pending) => Promise<void>;
}

/** A field for a comment or a reply, in Markdown. */
export const Composer = (props: Props) => (
  <Suspense fallback={null}>
    <Form {...props} />
  </Suspense>
);

function Form({ name, label, send }: Props) {
  const id = useId();
  const { text, state, error, write, submit } = useDraft({
    name: useDraftName(name),
    saved: '',
    send: async (pending) => {
      await send(pending);
      // The field is empty for the next one, also if the text was sent again after the page had been loaded again.
      return { merged: '' };
    },
  });
  const post = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  const isBusy = state === 'sending' || state === 'waiting';
  return (
    <form className="composer" onSubmit={post}>
      <label htmlFor={id}>{label}</label>
      <textarea id={id} rows={3} value={text} readOnly={isBusy} onChange={({ target }) => write(target.value)} />
      <p className="actions">
        <button type="submit" className="button primary" disabled={isBusy || text.trim() === ''}>
          Post
        </button>
        {state !== 'acknowledged' && <DraftStatus state={state} error={error} />}
      </p>
    </form>
  );
}
