import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { HistoryPaginationQuery } from '../../__generated__/HistoryPaginationQuery.graphql.ts';
import type { history_space$key } from '../../__generated__/history_space.graphql.ts';
import type { historyQuery } from '../../__generated__/historyQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { formatCount, formatTime, wordsOf } from '../../app/format.ts';
import { LoadMore } from '../../app/load-more.tsx';
import { Link } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';

/** The revisions of a space, newest first. */
export default function History({ spaceId }: { spaceId: string }) {
  const { space } = useLazyLoadQuery<historyQuery>(
    graphql`
      query historyQuery($spaceId: ID!) {
        space(id: $spaceId) { ...history_space }
      }
    `,
    { spaceId },
    { fetchPolicy: 'store-and-network' },
  );
  return (
    <div className="narrow">
      <Title text="History" />
      <Revisions space={ensure(space, 'space')} />
    </div>
  );
}

function Revisions({ space }: { space: history_space$key }) {
  const pagination = usePaginationFragment<HistoryPaginationQuery, history_space$key>(
    graphql`
      fragment history_space on Space
      @refetchable(queryName: "HistoryPaginationQuery")
      @argumentDefinitions(count: {type: "Int", defaultValue: 30}, cursor: {type: "String"}) {
        revisions(first: $count, after: $cursor) @connection(key: "history_revisions") {
          edges {
            node {
              id type createdAt createdBy { displayName }
              mergedFrom { number subject urls { app } }
              summary { pagesCreated pagesDeleted pagesEdited pagesMoved }
              urls { app }
            }
          }
        }
      }
    `,
    space,
  );
  return (
    <>
      <ol className="list">
        {pagination.data.revisions.edges.map(({ node }) => (
          <li key={node.id}>
            <Link to={node.urls.app}>
              <time dateTime={node.createdAt}>{formatTime(node.createdAt)}</time>
            </Link>
            <span>
              {wordsOf(node.type)}
              {node.createdBy && ` by ${node.createdBy.displayName}`}
              {node.mergedFrom && (
                <>
                  {' of '}
                  <Link to={node.mergedFrom.urls.app}>
                    #{node.mergedFrom.number} {node.mergedFrom.subject}
                  </Link>
                </>
              )}
            </span>
            <span className="muted">{node.summary && summaryOf(node.summary)}</span>
          </li>
        ))}
      </ol>
      <LoadMore pagination={pagination} count={30} />
    </>
  );
}

const CHANGES = [
  ['pagesCreated', 'created'],
  ['pagesEdited', 'edited'],
  ['pagesMoved', 'moved'],
  ['pagesDeleted', 'deleted'],
] as const;

const summaryOf = (summary: Readonly<Record<(typeof CHANGES)[number][0], number>>): string =>
  CHANGES.filter(([field]) => summary[field] > 0)
    .map(([field, verb]) => `${formatCount(summary[field], 'page')} ${verb}`)
    .join(', ');
