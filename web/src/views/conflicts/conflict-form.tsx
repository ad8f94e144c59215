import { type FormEvent, useState } from 'react';
import { graphql, useMutation, usePaginationFragment } from 'react-relay';
import type { ConflictFormPaginationQuery } from '../../__generated__/ConflictFormPaginationQuery.graphql.ts';
import type {
  conflictForm_changeRequest$data,
  conflictForm_changeRequest$key,
} from '../../__generated__/conflictForm_changeRequest.graphql.ts';
import type { conflictFormMutation } from '../../__generated__/conflictFormMutation.graphql.ts';
import { ErrorMessage } from '../../app/error-message.tsx';
import { formatCount } from '../../app/format.ts';
import { LoadMore } from '../../app/load-more.tsx';
import { Link, useRouter } from '../../app/router.tsx';
import { readDraft, writeDraft } from '../../drafts/stored-draft.ts';
import { useDraftName } from '../../drafts/use-draft-name.ts';
import { Conflict, type Decision } from './conflict.tsx';

type OpenConflict = conflictForm_changeRequest$data['conflicts']['edges'][number]['node'];

/** As the fragment has it by default, which is the limit of the graph. */
const PAGE_SIZE = 100;

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

/**
 * Resolves all conflicts at once, after all have been loaded. The decisions are kept in this browser until the service
 * has them.
 */
export function ConflictForm({ changeRequest, base, onOutdated }: Props) {
  const { navigate } = useRouter();
  const pagination = usePaginationFragment<ConflictFormPaginationQuery, conflictForm_changeRequest$key>(
    graphql`
      fragment conflictForm_changeRequest on ChangeRequest
      @refetchable(queryName: "ConflictFormPaginationQuery")
      @argumentDefinitions(count: {type: "Int", defaultValue: 100}, cursor: {type: "String"}) {
        id
        conflicts(first: $count, after: $cursor) @connection(key: "conflictForm_conflicts") {
          totalCount
          edges { node { id kind target targetId field block pageIds ...conflict_conflict } }
        }
      }
    `,
    changeRequest,
  );
  const { id: changeRequestId } = pagination.data;
  const { edges, totalCount } = pagination.data.conflicts;
  const conflicts = edges.map(({ node }) => node);
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
      <LoadMore pagination={pagination} count={PAGE_SIZE} />
      <p className="actions">
        <button type="submit" className="button primary" disabled={isResolving || decided.length < totalCount}>
          {isResolving ? 'Resolving…' : 'Resolve'}
        </button>
        <span role="status" className="muted">
          {formatCount(decided.length, 'conflict')} of {totalCount} decided
        </span>
      </p>
      <ErrorMessage error={error} />
    </form>
  );
}
