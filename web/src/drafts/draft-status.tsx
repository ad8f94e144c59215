import type { DraftState } from './use-draft.ts';

const WORDS: Record<DraftState, string> = {
  acknowledged: 'Saved',
  kept: 'Kept on this device',
  sending: 'Saving…',
  waiting: 'No connection. Kept on this device until it is back',
  rejected: 'Not saved. Kept on this device',
};

/** Says what became of a text. */
export const DraftStatus = ({ state, error }: { state: DraftState; error?: Error | undefined }) => (
  <span className={`draft-status ${state}`} role="status">
    {WORDS[state]}
    {error && `: ${error.message}`}
  </span>
);
