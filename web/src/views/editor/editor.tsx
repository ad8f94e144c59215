import { useCallback } from 'react';
import { graphql, useLazyLoadQuery, useRelayEnvironment } from 'react-relay';
import type { editorQuery } from '../../__generated__/editorQuery.graphql.ts';
import editorDocument from '../../__generated__/editorQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { Link, pathOf } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';
import { refresh } from '../../relay/refresh.ts';
import { PageEditor } from './page-editor.tsx';

/** A page of a change request: its Markdown, and how it looks. */
export default function Editor(props: { spaceId: string; number: string; pageId: string }) {
  const { spaceId, number, pageId } = props;
  const environment = useRelayEnvironment();
  const readAgain = useCallback(
    () => refresh<editorQuery>(environment, editorDocument, { spaceId, number: Number(number), pageId }),
    [environment, spaceId, number, pageId],
  );
  const { space } = useLazyLoadQuery<editorQuery>(
    graphql`
      query editorQuery($spaceId: ID!, $number: Int!, $pageId: ID!) {
        space(id: $spaceId) {
          id organization { id }
          changeRequest(number: $number) {
            id subject status urls { app } revision { id }
            page(pageId: $pageId) { title ...pageEditor_page }
          }
        }
      }
    `,
    { spaceId, number: Number(number), pageId },
    { fetchPolicy: 'network-only' },
  );
  const changeRequest = ensure(space?.changeRequest, 'change request');
  const page = ensure(changeRequest.page, 'page');
  const revisionId = ensure(changeRequest.revision, 'content').id;
  return (
    <div className="editor-view">
      <Link to={pathOf(changeRequest.urls.app)}>
        #{number} {changeRequest.subject}
      </Link>
      <Title text={`Edit ${page.title}`} />
      <PageEditor
        key={`${changeRequest.id} ${pageId}`}
        page={page}
        changeRequestId={changeRequest.id}
        onConflict={readAgain}
        place={{ organizationId: space?.organization?.id, spaceId, contentId: changeRequest.id, revisionId }}
      />
    </div>
  );
}
