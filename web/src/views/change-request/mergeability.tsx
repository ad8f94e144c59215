import { useState } from 'react';
import { graphql, useFragment, useMutation } from 'react-relay';
import type { mergeability_changeRequest$key } from '../../__generated__/mergeability_changeRequest.graphql.ts';
import type { mergeabilityMergeMutation } from '../../__generated__/mergeabilityMergeMutation.graphql.ts';
import type { mergeabilityReviewMutation } from '../../__generated__/mergeabilityReviewMutation.graphql.ts';
import type { mergeabilityUpdateMutation } from '../../__generated__/mergeabilityUpdateMutation.graphql.ts';
import { ErrorMessage } from '../../app/error-message.tsx';
import { formatCount, formatTime, wordsOf } from '../../app/format.ts';
import { OnlyFirst } from '../../app/load-more.tsx';
import { Link, useRouter } from '../../app/router.tsx';
import { GraphError } from '../../relay/errors.ts';

interface MergeabilityProps {
  changeRequest: mergeability_changeRequest$key;
  /** The version whose changes are shown. Nothing else is approved or merged. */
  version: string;
  base: string;
  /** Called when the service has another version. */
  onOutdated: () => void;
}

/** Whether a change request would merge now, why not, and the button that merges it. */
export function Mergeability({ changeRequest, version, base, onOutdated }: MergeabilityProps) {
  const { navigate } = useRouter();
  const [error, setError] = useState<Error>();
  const data = useFragment(
    graphql`
      fragment mergeability_changeRequest on ChangeRequest {
        id status outdated mergedAt mergedBy { displayName }
        mergedRevision { urls { app } }
        mergeability {
          mergeable missingPermission unmetRules { message }
        }
        conflictCount: conflicts(first: 1) { totalCount }
        reviews(first: 20) {
          nodes { id status outdated reviewer { displayName } }
          pageInfo { hasNextPage }
        }
      }
    `,
    changeRequest,
  );
  const [merge, isMerging] = useMutation<mergeabilityMergeMutation>(graphql`
    mutation mergeabilityMergeMutation($input: MergeChangeRequestInput!) {
      mergeChangeRequest(input: $input) {
        result
        changeRequest { id ...mergeability_changeRequest }
        space { id openChangeRequestsCount }
      }
    }
  `);
  const [review, isReviewing] = useMutation<mergeabilityReviewMutation>(graphql`
    mutation mergeabilityReviewMutation($input: SubmitReviewInput!) {
      submitReview(input: $input) {
        review { id changeRequest { id ...mergeability_changeRequest } }
      }
    }
  `);
  const [update, isUpdating] = useMutation<mergeabilityUpdateMutation>(graphql`
    mutation mergeabilityUpdateMutation($input: UpdateChangeRequestInput!) {
      updateChangeRequest(input: $input) {
        changeRequest { id version ...mergeability_changeRequest space { id openChangeRequestsCount } }
      }
    }
  `);
  const input = { changeRequestId: data.id, expectedVersion: version };
  const onError = (failure: Error) => {
    setError(failure);
    if (failure instanceof GraphError && failure.code === 'PRECONDITION_FAILED') onOutdated();
  };
  const begin = (act: () => void) => () => {
    setError(undefined);
    act();
  };
  if (data.status === 'MERGED') {
    return (
      <div className="panel good">
        <p>
          Merged{data.mergedBy && ` by ${data.mergedBy.displayName}`}
          {data.mergedAt && `, ${formatTime(data.mergedAt)}`}.{' '}
          {data.mergedRevision && <Link to={data.mergedRevision.urls.app}>What changed</Link>}
        </p>
      </div>
    );
  }
  const { mergeable, unmetRules, missingPermission } = data.mergeability;
  const conflicts = data.conflictCount.totalCount;
  return (
    <section className={mergeable ? 'panel good' : 'panel'} aria-label="Merging">
      <p>
        {mergeable ? 'This change request can be merged.' : 'This change request cannot be merged yet.'}
        {data.outdated && ' The space has changed since.'}
      </p>
      <ul>
        {missingPermission && <li>You need the role {wordsOf(missingPermission).toLowerCase()}.</li>}
        {unmetRules.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
        {conflicts > 0 && (
          <li>
            {formatCount(conflicts, 'conflict')} with the space.{' '}
            <Link to={`${base}/conflicts`}>Resolve {conflicts === 1 ? 'it' : 'them'}</Link>
          </li>
        )}
        {data.reviews.nodes.map(({ id, status, outdated, reviewer }) => (
          <li key={id}>
            {reviewer?.displayName ?? 'A former user'}: {wordsOf(status).toLowerCase()}
            {outdated && ' (of an earlier version)'}
          </li>
        ))}
      </ul>
      <OnlyFirst count={data.reviews.nodes.length} noun="reviews" hasMore={data.reviews.pageInfo.hasNextPage} />
      <p className="actions">
        <button
          type="button"
          className="button primary"
          disabled={!mergeable || isMerging}
          onClick={begin(() =>
            merge({
              variables: { input },
              onCompleted: ({ mergeChangeRequest }) => {
                if (mergeChangeRequest?.result === 'CONFLICTS') navigate(`${base}/conflicts`);
              },
              onError,
            }),
          )}
        >
          {isMerging ? 'Merging…' : 'Merge'}
        </button>
        {data.status === 'DRAFT' && (
          <button
            type="button"
            className="button"
            disabled={isUpdating}
            onClick={begin(() => update({ variables: { input: { ...input, status: 'OPEN' } }, onError }))}
          >
            Ask for a review
          </button>
        )}
        <button
          type="button"
          className="button"
          disabled={isReviewing}
          onClick={begin(() => review({ variables: { input: { ...input, status: 'APPROVED' } }, onError }))}
        >
          Approve
        </button>
      </p>
      <ErrorMessage error={error} />
    </section>
  );
}
