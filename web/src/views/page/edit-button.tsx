import { useState } from 'react';
import { ErrorMessage } from '../../app/error-message.tsx';
import { useRouter } from '../../app/router.tsx';
import { useCreateChangeRequest } from '../change-requests/use-create-change-request.ts';

/** Subjects have at most 100 characters. */
const subjectOf = (title: string) => [...`Edit ${title}`].slice(0, 100).join('');

/** Begins a change request with an edit of this page. */
export function EditButton({ spaceId, pageId, title }: { spaceId: string; pageId: string; title: string }) {
  const { navigate } = useRouter();
  const [error, setError] = useState<Error>();
  const onCreated = (path: string) => navigate(`${path}/pages/${pageId}`);
  const [create, isInFlight] = useCreateChangeRequest(spaceId, { onCreated, onError: setError });
  const edit = () => {
    setError(undefined);
    create(subjectOf(title));
  };
  return (
    <>
      <button type="button" className="button" disabled={isInFlight} onClick={edit}>
        Edit
      </button>
      <ErrorMessage error={error} />
    </>
  );
}
