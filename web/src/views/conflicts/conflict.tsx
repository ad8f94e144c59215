import { useId } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { conflict_conflict$data, conflict_conflict$key } from '../../__generated__/conflict_conflict.graphql.ts';
import { wordsOf } from '../../app/format.ts';

/** What an author decided about a conflict: one of its versions, or a text of their own. */
export type Resolution = { choice: 'OURS' | 'THEIRS' | 'BASE' } | { markdown: string };

interface Props {
  conflict: conflict_conflict$key;
  resolution: Resolution | undefined;
  onDecide: (resolution: Resolution) => void;
}

/** Fields that a resolution may give a text of its own. */
const TEXT_FIELDS = new Set(['title', 'description', 'name']);

/** Both versions of what is in conflict side by side, what they were made from, and the choice between them. */
export function Conflict({ conflict, resolution, onDecide }: Props) {
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
  const chosen = resolution && 'choice' in resolution ? resolution.choice : undefined;
  const ownMarkdown = resolution && 'markdown' in resolution ? resolution.markdown : undefined;
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
              <input type="radio" name={name} checked={chosen === choice} onChange={() => onDecide({ choice })} />{' '}
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
        <div className={ownMarkdown === undefined ? 'side' : 'side chosen'}>
          <label>
            <input
              type="radio"
              name={name}
              checked={ownMarkdown !== undefined}
              onChange={() => onDecide({ markdown: ownMarkdown ?? firstTextOf(ours ?? theirs) })}
            />{' '}
            A text of your own
          </label>
          {ownMarkdown !== undefined && (
            <textarea
              aria-label={`Text for ${subject}`}
              rows={kind === 'FIELD' ? 1 : 5}
              value={ownMarkdown}
              onChange={({ target: { value } }) => onDecide({ markdown: value })}
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
