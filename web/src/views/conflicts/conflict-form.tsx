import { type FormEvent, useState } from 'react';
import { graphql, useFragment, useMutation } from 'react-relay';
import type { conflictForm_changeRequest$key } from '../../__generated__/conflictForm_changeRequest.graphql.ts';
import type { conflictFormMutation } from '../../__generated__/conflictFormMutation.graphql.ts';
import { ErrorMessage } from '../../app/error-message.tsx';
import { counted } from '../../app/format.ts';
import { Link, useRouter } from '../../app/router.tsx';
import { readDraft, writeDraft } from '../../drafts/stored-draft.ts';
import { Conflict, type Resolution } from './conflict.tsx';

const draftOf = (changeRequestId: string) => `conflicts:${changeRequestId}`;

/** Resolves all conflicts at once. The decisions are kept in this browser until the service has them. */
export function ConflictForm({ changeRequest, base }: { changeRequest: conflictForm_changeRequest$key; base: string }) {
  const { navigate } = useRouter();
  const { id: changeRequestId, mergeability } = useFragment(
    graphql`
      fragment conflictForm_changeRequest on ChangeRequest {
        id
        mergeability { mergeable conflicts { id ...conflict_conflict } }
      }
    `,
    changeRequest,
  );
  const { conflicts } = mergeability;
  const [resolutions, setResolutions] = useState<Readonly<Record<string, Resolution>>>(() =>
    JSON.parse(readDraft(draftOf(changeRequestId))?.text ?? '{}'),
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
  const decide = (conflictId: string, resolution: Resolution) => {
    const next = { ...resolutions, [conflictId]: resolution };
    setResolutions(next);
    writeDraft(draftOf(changeRequestId), { text: JSON.stringify(next) });
  };
  const decided = conflicts.flatMap(({ id }) => {
    const resolution = resolutions[id];
    return resolution ? [{ conflictId: id, ...resolution }] : [];
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    resolve({
      variables: { input: { changeRequestId, resolutions: decided } },
      onCompleted: ({ resolveChangeRequestConflicts }) => {
        if (resolveChangeRequestConflicts?.result !== 'UPDATE') return;
        writeDraft(draftOf(changeRequestId), undefined);
        navigate(base);
      },
      onError: setError,
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
          resolution={resolutions[conflict.id]}
          onDecide={(resolution) => decide(conflict.id, resolution)}
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
