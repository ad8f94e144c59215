import { GraphError } from '../relay/errors.ts';

/** An error of a form, with its code and what is wrong with which part of the input. */
export function ErrorMessage({ error }: { error: Error | null | undefined }) {
  if (!error) return null;
  const issues = error instanceof GraphError ? error.issues : [];
  return (
    <div role="alert" className="error">
      <p>
        {error.message} {error instanceof GraphError && <code>{error.code}</code>}
      </p>
      {issues.length > 1 && (
        <ul>
          {issues.map(({ path, message }) => (
            <li key={`${path}${message}`}>
              {path.join('.')}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
