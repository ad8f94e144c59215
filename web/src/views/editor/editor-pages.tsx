import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { EditorPagesPaginationQuery } from '../../__generated__/EditorPagesPaginationQuery.graphql.ts';
import type { editorPages_changeRequest$key } from '../../__generated__/editorPages_changeRequest.graphql.ts';
import type { editorPagesQuery } from '../../__generated__/editorPagesQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { LoadMore } from '../../app/load-more.tsx';
import { Link, pathOf } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';

/** The pages of a change request, to choose the one to edit. */
export default function EditorPages({ spaceId, number }: { spaceId: string; number: string }) {
  const { space } = useLazyLoadQuery<editorPagesQuery>(
    graphql`
      query editorPagesQuery($spaceId: ID!, $number: Int!) {
        space(id: $spaceId) {
          changeRequest(number: $number) {
            subject urls { app }
            ...editorPages_changeRequest
          }
        }
      }
    `,
    { spaceId, number: Number(number) },
    { fetchPolicy: 'store-and-network' },
  );
  const changeRequest = ensure(space?.changeRequest, 'change request');
  const base = pathOf(changeRequest.urls.app);
  return (
    <div className="narrow">
      <Link to={base}>
        #{number} {changeRequest.subject}
      </Link>
      <Title text="Choose a page to edit" />
      <Pages changeRequest={changeRequest} base={base} />
    </div>
  );
}

function Pages({ changeRequest, base }: { changeRequest: editorPages_changeRequest$key; base: string }) {
  const pagination = usePaginationFragment<EditorPagesPaginationQuery, editorPages_changeRequest$key>(
    graphql`
      fragment editorPages_changeRequest on ChangeRequest
      @refetchable(queryName: "EditorPagesPaginationQuery")
      @argumentDefinitions(count: {type: "Int", defaultValue: 200}, cursor: {type: "String"}) {
        allPages(first: $count, after: $cursor, kinds: [DOCUMENT]) @connection(key: "editorPages_allPages") {
          edges { node { pageId title depth } }
        }
      }
    `,
    changeRequest,
  );
  return (
    <>
      <ul className="list">
        {pagination.data.allPages.edges.map(({ node }) => (
          <li key={node.pageId} style={{ paddingInlineStart: `${node.depth * 1.25}rem` }}>
            <Link to={`${base}/pages/${node.pageId}`}>{node.title || 'Untitled'}</Link>
          </li>
        ))}
      </ul>
      <LoadMore pagination={pagination} count={200} />
    </>
  );
}
