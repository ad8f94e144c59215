import { useRef } from 'react';
import { graphql, useMutation } from 'react-relay';
import type { useCreateChangeRequestMutation } from '../../__generated__/useCreateChangeRequestMutation.graphql.ts';
import { pathOf } from '../../app/router.tsx';
import { makeKey } from '../../drafts/stored-draft.ts';

interface Outcome {
  onCreated: (path: string) => void;
  onError: (error: Error) => void;
}

/** Returns a function that begins a change request. Trying again after an error does not begin a second one. */
export function useCreateChangeRequest(spaceId: string, { onCreated, onError }: Outcome) {
  const last = useRef({ subject: '', idempotencyKey: '' });
  const [commit, isInFlight] = useMutation<useCreateChangeRequestMutation>(graphql`
    mutation useCreateChangeRequestMutation($input: CreateChangeRequestInput!) {
      createChangeRequest(input: $input) {
        changeRequest { id urls { app } space { id openChangeRequestsCount } }
      }
    }
  `);
  const create = (subject: string) => {
    if (last.current.subject !== subject) last.current = { subject, idempotencyKey: makeKey() };
    commit({
      variables: { input: { spaceId, ...last.current } },
      onCompleted: ({ createChangeRequest }) => {
        last.current = { subject: '', idempotencyKey: '' };
        if (createChangeRequest) onCreated(pathOf(createChangeRequest.changeRequest.urls.app));
      },
      onError,
    });
  };
  return [create, isInFlight] as const;
}
