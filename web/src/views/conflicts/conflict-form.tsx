import { type FormEvent, useState } from 'react';
import { graphql, useFragment, useMutation } from 'react-relay';
import type {
  conflictForm_changeRequest$data,
  conflictForm_changeRequest$key,
} from '../../__generated__/conflictForm_changeRequest.graphql.ts';
import type { conflictFormMutation } from '../../__generated__/conflictFormMutation.graphql.ts';
import { ErrorMessage } from '../../app/error-message.tsx';
import { counted } from '../../app/format.ts';
import { Link, useRouter } from '../../app/router.tsx';
import { readDraft, writeDraft } from '../../drafts/stored-draft.ts';
import { useDraftName } from '../../drafts/use-draft-name.ts';
import { Conflict, type Decision } from './conflict.tsx';

type OpenConflict = conflictForm_changeRequest$data['mergeability']['conflicts'][number];

/** A decision, and the conflict that it was made about. Another edit of the same place makes another conflict of it. */
type KeptDecision = Decision & { conflictId: string };

/** Names what is in conflict, whatever its versions are. */
const placeOf = ({ kind, target, targetId, field, block, pageIds }: OpenConflict) =>
  JSON.stringify([kind, target, targetId, field, block, pageIds]);

interface Props {
  changeRequest: conflictForm_changeRequest$key;
  base: string;
  /** Called when the service has other conflicts. */
  onOutdated: () => void;
}

/** Resolves all conflicts at once. The decisions are kept in this browser until the service has them. */
export function ConflictForm({ changeRequest, base, onOutdated }: Props) {
  const { navigate } = useRouter();
  const { id: changeRequestId, mergeability } = useFragment(
    graphql`
      fragment conflictForm_changeRequest on ChangeRequest {
        id
        mergeability { mergeable conflicts { id kind target targetId field block pageIds ...conflict_conflict } }
      }
    `,
    changeRequest,
  );
  const { conflicts } = mergeability;
  const draftName = useDraftName(`conflicts:${changeRequestId}`);
  const [decisions, setDecisions] = useState<Readonly<Record<string, KeptDecision>>>(() =>
    JSON.parse(readDraft(draftName)?.text ?? '{}'),
  );
  const [error, setError] = useState<Error>();
  const [resolve, isResolving] = useMutation<conflictFormMutation>(graphql`
    mutation conflictFormMutation($input: ResolveChangeRequestConflictsInput!) {
      resolveChangeRequestConflicts(input: $input) {
        result
        changeRequest { id ...conflictForm_changeRequest ...mergeability_changeRequest }
      }
    }
  `);
  const decide = (conflict: OpenConflict, decision: Decision) => {
    const next = { ...decisions, [placeOf(conflict)]: { ...decision, conflictId: conflict.id } };
    setDecisions(next);
    writeDraft(draftName, { text: JSON.stringify(next) });
  };
  /** Between other versions, the choice must be made anew. The author's own text is kept. */
  const decisionOn = (conflict: OpenConflict): Decision => {
    const { conflictId, choice, written } = decisions[placeOf(conflict)] ?? {};
    return conflictId === conflict.id ? { choice, written } : { written };
  };
  const decided = conflicts.flatMap((conflict) => {
    const { choice, written = '' } = decisionOn(conflict);
    if (choice === undefined) return [];
    return [{ conflictId: conflict.id, ...(choice === 'OWN' ? { markdown: written } : { choice }) }];
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    resolve({
      variables: { input: { changeRequestId, resolutions: decided } },
      onCompleted: ({ resolveChangeRequestConflicts }) => {
        if (resolveChangeRequestConflicts?.result !== 'UPDATE') {
          setError(new Error('Together, these decisions lead to other conflicts. Change one of them'));
          return;
        }
        writeDraft(draftName, undefined);
        navigate(base);
      },
      onError: (failure) => {
        setError(failure);
        onOutdated();
      },
    });
  };
  if (conflicts.length === 0) {
    return (
      <p>
        There are no conflicts. <Link to={base}>Back to the change request</Link>
      </p>
    );
  }
  return (
    <form onSubmit={submit}>
      {conflicts.map((conflict) => (
        <Conflict
          key={conflict.id}
          conflict={conflict}
          decision={decisionOn(conflict)}
          onDecide={(decision) => decide(conflict, decision)}
        />
      ))}
      <p className="actions">
        <button type="submit" className="button primary" disabled={isResolving || decided.length < conflicts.length}>
          {isResolving ? 'Resolving…' : 'Resolve'}
        </button>
        <span role="status" className="muted">
          {counted(decided.length, 'conflict')} of {conflicts.length} decided
        </span>
      </p>
      <ErrorMessage error={error} />
    </form>
  );
}
