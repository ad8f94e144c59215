import { type FormEvent, useRef, useState } from 'react';
import { graphql, useMutation } from 'react-relay';
import type { createChangeRequestMutation } from '../../__generated__/createChangeRequestMutation.graphql.ts';
import { ErrorMessage } from '../../app/error-message.tsx';
import { useRouter } from '../../app/router.tsx';
import { makeKey } from '../../drafts/stored-draft.ts';

/** Begins a change request. Trying again after an error does not begin a second one. */
export function CreateChangeRequest({ spaceId }: { spaceId: string }) {
  const { navigate } = useRouter();
  const [subject, setSubject] = useState('');
  const [error, setError] = useState<Error>();
  const key = useRef(makeKey());
  const [commit, isInFlight] = useMutation<createChangeRequestMutation>(graphql`
    mutation createChangeRequestMutation($input: CreateChangeRequestInput!) {
      createChangeRequest(input: $input) {
        changeRequest {
          id urls { app } space { id openChangeRequestsCount }
        }
      }
    }
  `);
  const create = (event: FormEvent) => {
    event.preventDefault();
    commit({
      variables: { input: { spaceId, subject, idempotencyKey: key.current } },
      onCompleted: ({ createChangeRequest }) => {
        if (createChangeRequest) navigate(createChangeRequest.changeRequest.urls.app);
      },
      onError: setError,
    });
  };
  return (
    <form className="form row" onSubmit={create}>
      <label htmlFor="subject">Subject of a new change request</label>
      <input
        id="subject"
        required
        value={subject}
        onChange={({ target }) => {
          setSubject(target.value);
          key.current = makeKey();
        }}
      />
      <button type="submit" className="button primary" disabled={isInFlight}>
        Create
      </button>
      <ErrorMessage error={error} />
    </form>
  );
}
