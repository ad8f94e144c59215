import { useCallback } from 'react';
import { graphql, useLazyLoadQuery, useRelayEnvironment } from 'react-relay';
import type { editorQuery } from '../../__generated__/editorQuery.graphql.ts';
import editorDocument from '../../__generated__/editorQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { Link, pathOf } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';
import { readDraft } from '../../drafts/stored-draft.ts';
import { useDraftName } from '../../drafts/use-draft-name.ts';
import { refresh } from '../../relay/refresh.ts';
import { DeletedPage } from './deleted-page.tsx';
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
  const base = pathOf(changeRequest.urls.app);
  const draftName = useDraftName(`page:${changeRequest.id}:${pageId}`);
  const back = (
    <Link to={base}>
      #{number} {changeRequest.subject}
    </Link>
  );
  const unsaved = changeRequest.page ? undefined : readDraft(draftName);
  if (unsaved) {
    return (
      <div className="editor-view">
        {back}
        <DeletedPage draftName={draftName} text={unsaved.text} base={base} />
      </div>
    );
  }
  const page = ensure(changeRequest.page, 'page');
  const revisionId = ensure(changeRequest.revision, 'content').id;
  return (
    <div className="editor-view">
      {back}
      <Title text={`Edit ${page.title}`} />
      <PageEditor
        key={draftName}
        draftName={draftName}
        page={page}
        changeRequestId={changeRequest.id}
        onConflict={readAgain}
        place={{ organizationId: space?.organization?.id, spaceId, contentId: changeRequest.id, revisionId }}
      />
    </div>
  );
}
