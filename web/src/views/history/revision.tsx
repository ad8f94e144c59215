import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { RevisionChangesPaginationQuery } from '../../__generated__/RevisionChangesPaginationQuery.graphql.ts';
import type { revision_changes$key } from '../../__generated__/revision_changes.graphql.ts';
import type { revisionQuery } from '../../__generated__/revisionQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { formatTime, wordsOf } from '../../app/format.ts';
import { LoadMore } from '../../app/load-more.tsx';
import { Link } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';
import { Change } from '../changes/changes.tsx';

/** A revision: what it changed. */
export default function Revision({ spaceId, revisionId }: { spaceId: string; revisionId: string }) {
  const { node } = useLazyLoadQuery<revisionQuery>(
    graphql`
      query revisionQuery($revisionId: ID!) {
        node(id: $revisionId) {
          ... on Revision @alias(as: "revision") {
            type createdAt createdBy { displayName }
            ...revision_changes
          }
        }
      }
    `,
    { revisionId },
  );
  const revision = ensure(node?.revision, 'revision');
  return (
    <div className="narrow">
      <Link to={`/spaces/${spaceId}/history`}>History</Link>
      <Title text={`Revision of ${formatTime(revision.createdAt)}`} />
      <p className="muted">
        {wordsOf(revision.type)} by {revision.createdBy?.displayName ?? 'a former user'}
      </p>
      <h2>Changes</h2>
      <RevisionChanges revision={revision} />
    </div>
  );
}

function RevisionChanges({ revision }: { revision: revision_changes$key }) {
  const pagination = usePaginationFragment<RevisionChangesPaginationQuery, revision_changes$key>(
    graphql`
      fragment revision_changes on Revision
      @refetchable(queryName: "RevisionChangesPaginationQuery")
      @argumentDefinitions(count: {type: "Int", defaultValue: 20}, cursor: {type: "String"}) {
        changes(first: $count, after: $cursor) @connection(key: "revision_changes") {
          edges { node { ...changes_change } }
        }
      }
    `,
    revision,
  );
  const edges = pagination.data.changes?.edges ?? [];
  return (
    <>
      {edges.length === 0 && <p className="muted">No pages or files were changed.</p>}
      {edges.map(({ node }, index) => (
        <Change key={index} change={node} />
      ))}
      <LoadMore pagination={pagination} count={20} />
    </>
  );
}
