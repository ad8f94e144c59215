import { type FormEvent, useState } from 'react';
import { ErrorMessage } from '../../app/error-message.tsx';
import { useRouter } from '../../app/router.tsx';
import { useCreateChangeRequest } from './use-create-change-request.ts';

/** A form that begins a change request. */
export function CreateChangeRequest({ spaceId }: { spaceId: string }) {
  const { navigate } = useRouter();
  const [subject, setSubject] = useState('');
  const [error, setError] = useState<Error>();
  const [create, isInFlight] = useCreateChangeRequest(spaceId, { onCreated: navigate, onError: setError });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    create(subject);
  };
  return (
    <form className="form row" onSubmit={submit}>
      <label htmlFor="subject">Subject of a new change request</label>
      <input id="subject" required value={subject} onChange={({ target }) => setSubject(target.value)} />
      <button type="submit" className="button primary" disabled={isInFlight}>
        Create
      </button>
      <ErrorMessage error={error} />
    </form>
  );
}
