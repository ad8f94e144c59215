import { useId } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { conflict_conflict$data, conflict_conflict$key } from '../../__generated__/conflict_conflict.graphql.ts';
import { wordsOf } from '../../app/format.ts';

/** What an author decided about a conflict: one of its versions, or a text of their own. */
export interface Decision {
  choice?: 'OURS' | 'THEIRS' | 'OWN' | undefined;
  /** The text of their own. It is kept while one of the versions is chosen. */
  written?: string | undefined;
}

interface Props {
  conflict: conflict_conflict$key;
  decision: Decision;
  onDecide: (decision: Decision) => void;
}

/** Fields that a resolution may give a text of its own. */
const TEXT_FIELDS = new Set(['title', 'description', 'name']);

/** Both versions of what is in conflict side by side, what they were made from, and the choice between them. */
export function Conflict({ conflict, decision, onDecide }: Props) {
  const name = useId();
  const data = useFragment(
    graphql`
      fragment conflict_conflict on MergeConflict {
        kind field target page { title } file { name } base { markdown value } ours { markdown value }
        theirs { markdown value }
      }
    `,
    conflict,
  );
  const { kind, field, target, page, file, base, ours, theirs } = data;
  const subject = page?.title ?? file?.name ?? wordsOf(target).toLowerCase();
  const { choice: chosen, written } = decision;
  const mayWrite = kind === 'BLOCK' || (kind === 'FIELD' && TEXT_FIELDS.has(field ?? ''));
  const choices = [
    { choice: 'OURS', label: 'This change request', version: ours },
    { choice: 'THEIRS', label: 'The space', version: theirs },
  ] as const;
  return (
    <fieldset className="conflict">
      <legend>
        {subject}
        <span className="muted"> · {field ?? wordsOf(kind).toLowerCase()}</span>
      </legend>
      <div className="sides">
        {choices.map(({ choice, label, version }) => (
          <label key={choice} className={chosen === choice ? 'side chosen' : 'side'}>
            <span>
              <input
                type="radio"
                name={name}
                checked={chosen === choice}
                onChange={() => onDecide({ choice, written })}
              />{' '}
              {label}
            </span>
            <pre>{textOf(version)}</pre>
          </label>
        ))}
      </div>
      <details>
        <summary>Before both changes</summary>
        <pre>{textOf(base)}</pre>
      </details>
      {mayWrite && (
        <div className={chosen === 'OWN' ? 'side chosen' : 'side'}>
          <label>
            <input
              type="radio"
              name={name}
              checked={chosen === 'OWN'}
              onChange={() => onDecide({ choice: 'OWN', written: written ?? firstTextOf(ours ?? theirs) })}
            />{' '}
            A text of your own
          </label>
          {written !== undefined && (
            <textarea
              aria-label={`Text for ${subject}`}
              rows={kind === 'FIELD' ? 1 : 5}
              value={written}
              onChange={({ target: { value } }) => onDecide({ choice: 'OWN', written: value })}
            />
          )}
        </div>
      )}
    </fieldset>
  );
}

/** The text to begin one's own with. */
const firstTextOf = (version: conflict_conflict$data['ours']): string => (version ? textOf(version) : '');

function textOf(version: conflict_conflict$data['ours']): string {
  if (!version) return '(deleted)';
  if (version.markdown !== null && version.markdown !== undefined) return version.markdown;
  return typeof version.value === 'string' ? version.value : JSON.stringify(version.value, undefined, 2);
}
