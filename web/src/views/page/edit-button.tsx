import { useState } from 'react';
import { graphql, useMutation } from 'react-relay';
import type { editButtonMutation } from '../../__generated__/editButtonMutation.graphql.ts';
import { ErrorMessage } from '../../app/error-message.tsx';
import { pathOf, useRouter } from '../../app/router.tsx';

/** Begins a change request with an edit of this page. */
export function EditButton({ spaceId, pageId, title }: { spaceId: string; pageId: string; title: string }) {
  const { navigate } = useRouter();
  const [error, setError] = useState<Error>();
  const [commit, isInFlight] = useMutation<editButtonMutation>(graphql`
    mutation editButtonMutation($input: CreateChangeRequestInput!) {
      createChangeRequest(input: $input) {
        changeRequest {
          id number urls { app } space { id openChangeRequestsCount }
        }
      }
    }
  `);
  const edit = () =>
    commit({
      variables: { input: { spaceId, subject: `Edit ${title}` } },
      onCompleted: ({ createChangeRequest }) => {
        if (createChangeRequest) navigate(`${pathOf(createChangeRequest.changeRequest.urls.app)}/pages/${pageId}`);
      },
      onError: setError,
    });
  return (
    <>
      <button type="button" className="button" disabled={isInFlight} onClick={edit}>
        Edit
      </button>
      <ErrorMessage error={error} />
    </>
  );
}
