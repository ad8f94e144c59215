import { useEffect, useRef, useState, useTransition } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { ChangeRequestsPaginationQuery } from '../../__generated__/ChangeRequestsPaginationQuery.graphql.ts';
import type { changeRequests_space$key } from '../../__generated__/changeRequests_space.graphql.ts';
import type { changeRequestsQuery } from '../../__generated__/changeRequestsQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { formatTime, wordsOf } from '../../app/format.ts';
import { LoadMore } from '../../app/load-more.tsx';
import { Link } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';
import { CreateChangeRequest } from './create-change-request.tsx';
import { STATUSES, type Status, useChangeRequestsUpdates } from './use-change-requests-updates.ts';

/** As the fragment has it by default. */
const PAGE_SIZE = 30;

/** The change requests of a space. */
export default function ChangeRequests({ spaceId }: { spaceId: string }) {
  const [status, setStatus] = useState<Status>('OPEN');
  const [isPending, startTransition] = useTransition();
  const data = useLazyLoadQuery<changeRequestsQuery>(
    graphql`
      query changeRequestsQuery($spaceId: ID!, $status: ChangeRequestStatusFilter!, $count: Int = 30) {
        space(id: $spaceId) {
          permissions { view edit }
          ...changeRequests_space @arguments(status: $status, count: $count)
        }
      }
    `,
    { spaceId, status },
    { fetchPolicy: 'store-and-network' },
  );
  const space = ensure(data.space, 'space');
  const shownCount = useRef(PAGE_SIZE);
  useChangeRequestsUpdates(spaceId, status, shownCount);
  return (
    <div className="narrow">
      <Title text="Change requests" />
      {space.permissions.edit && <CreateChangeRequest spaceId={spaceId} />}
      <fieldset className="choices">
        <legend className="visually-hidden">Status</legend>
        {STATUSES.map((option) => (
          <button
            type="button"
            key={option}
            className="small-button"
            aria-pressed={option === status}
            onClick={() => startTransition(() => setStatus(option))}
          >
            {wordsOf(option)}
          </button>
        ))}
      </fieldset>
      <div aria-busy={isPending}>
        <List space={space} shownCount={shownCount} />
      </div>
    </div>
  );
}

function List({ space, shownCount }: { space: changeRequests_space$key; shownCount: { current: number } }) {
  const pagination = usePaginationFragment<ChangeRequestsPaginationQuery, changeRequests_space$key>(
    graphql`
      fragment changeRequests_space on Space
      @refetchable(queryName: "ChangeRequestsPaginationQuery")
      @argumentDefinitions(status: {type: "ChangeRequestStatusFilter!"}, count: {type: "Int", defaultValue: 30}, cursor: {type: "String"}) {
        changeRequests(
          first: $count
          after: $cursor
          status: $status
        ) @connection(key: "changeRequests_changeRequests") {
          edges {
            node {
              id number subject status updatedAt createdBy { displayName } urls { app }
            }
          }
        }
      }
    `,
    space,
  );
  const { edges } = pagination.data.changeRequests;
  useEffect(() => {
    shownCount.current = Math.max(PAGE_SIZE, edges.length);
  }, [shownCount, edges.length]);
  return (
    <>
      {edges.length === 0 && <p className="muted">There are none.</p>}
      <ul className="list">
        {edges.map(({ node }) => (
          <li key={node.id}>
            <Link to={node.urls.app}>
              #{node.number} {node.subject || 'No subject'}
            </Link>
            <span className={`chip ${node.status}`}>{wordsOf(node.status)}</span>
            <span className="muted">
              {node.createdBy?.displayName}, {formatTime(node.updatedAt)}
            </span>
          </li>
        ))}
      </ul>
      <LoadMore pagination={pagination} count={PAGE_SIZE} />
    </>
  );
}
