import { graphql, useLazyLoadQuery } from 'react-relay';
import type { editorPagesQuery } from '../../__generated__/editorPagesQuery.graphql.ts';
import { found } from '../../app/error-boundary.tsx';
import { Link, pathOf } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';

/** The pages of a change request, to choose the one to edit. */
export default function EditorPages({ spaceId, number }: { spaceId: string; number: string }) {
  const { space } = useLazyLoadQuery<editorPagesQuery>(
    graphql`
      query editorPagesQuery($spaceId: ID!, $number: Int!) {
        space(id: $spaceId) {
          changeRequest(number: $number) {
            subject
            urls { app }
            revision {
              pages {
                __typename
                ... on PageNode { pageId title }
                ... on DocumentPage { pages { __typename ... on PageNode { pageId title } } }
                ... on GroupPage { pages { __typename ... on PageNode { pageId title } } }
              }
            }
          }
        }
      }
    `,
    { spaceId, number: Number(number) },
    { fetchPolicy: 'store-and-network' },
  );
  const changeRequest = found(space?.changeRequest, 'change request');
  const base = pathOf(changeRequest.urls.app);
  const pages = (changeRequest.revision?.pages ?? []).flatMap((page) => [
    { ...page, depth: 0 },
    ...(page.pages ?? []).map((child) => ({ ...child, depth: 1 })),
  ]);
  return (
    <div className="narrow">
      <Link to={base}>
        #{number} {changeRequest.subject}
      </Link>
      <Title text="Choose a page to edit" />
      <ul className="list">
        {pages.map(({ __typename: type, pageId, title, depth }) => (
          <li key={pageId} className={depth > 0 ? 'nested' : undefined}>
            {type === 'DocumentPage' ? (
              <Link to={`${base}/pages/${pageId}`}>{title || 'Untitled'}</Link>
            ) : (
              <span>{title}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
