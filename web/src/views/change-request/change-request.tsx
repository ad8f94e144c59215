import { Suspense, useRef } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { changeRequestQuery } from '../../__generated__/changeRequestQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { formatTime, wordsOf } from '../../app/format.ts';
import { Link, pathOf } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';
import { ChangeRequestChanges } from './change-request-changes.tsx';
import { ChangeRequestComments } from './change-request-comments.tsx';
import { Mergeability } from './mergeability.tsx';
import { UnsentTexts } from './unsent-texts.tsx';
import { type Shown, useChangeRequestUpdates } from './use-change-request-updates.ts';

/** A change request: whether it can be merged, what it changes, and what people say about it. */
export default function ChangeRequest({ spaceId, number }: { spaceId: string; number: string }) {
  const variables = { spaceId, number: Number(number) };
  const { space } = useLazyLoadQuery<changeRequestQuery>(
    graphql`
      query changeRequestQuery($spaceId: ID!, $number: Int!, $changes: Int = 20, $comments: Int = 20) {
        space(id: $spaceId) {
          id permissions { edit comment }
          changeRequest(number: $number) {
            id version number subject status createdAt createdBy { displayName } urls { app }
            ...mergeability_changeRequest
            ...changeRequestChanges_changeRequest @arguments(count: $changes)
            ...changeRequestComments_changeRequest @arguments(count: $comments)
          }
        }
      }
    `,
    variables,
    { fetchPolicy: 'store-and-network' },
  );
  const changeRequest = ensure(space?.changeRequest, 'change request');
  const shown = useRef<Shown>({ changes: 20, comments: 20 });
  const readAgain = useChangeRequestUpdates(changeRequest.id, variables, shown);
  const { version, subject, status, createdBy, createdAt, urls } = changeRequest;
  const base = pathOf(urls.app);
  const mayEdit = space?.permissions.edit && status !== 'MERGED' && status !== 'ARCHIVED';
  return (
    <div className="narrow wide">
      <Title text={`#${number} ${subject || 'No subject'}`} />
      <p className="muted">
        <span className={`chip ${status}`}>{wordsOf(status)}</span> {createdBy?.displayName ?? 'A former user'},{' '}
        {formatTime(createdAt)}
      </p>
      {space?.permissions.comment && (
        <Suspense fallback={null}>
          <UnsentTexts key={changeRequest.id} changeRequestId={changeRequest.id} base={base} />
        </Suspense>
      )}
      <Mergeability changeRequest={changeRequest} version={version} base={base} onOutdated={readAgain} />
      {mayEdit && (
        <p>
          <Link className="button" to={`${base}/pages`}>
            Edit a page
          </Link>
        </p>
      )}
      <ChangeRequestChanges changeRequest={changeRequest} base={base} mayEdit={mayEdit === true} shown={shown} />
      <ChangeRequestComments
        key={changeRequest.id}
        changeRequest={changeRequest}
        spaceId={spaceId}
        mayComment={space?.permissions.comment === true}
        shown={shown}
      />
    </div>
  );
}
