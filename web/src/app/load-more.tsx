import { useState } from 'react';
import { ErrorMessage } from './error-message.tsx';

interface Pagination {
  hasNext: boolean;
  isLoadingNext: boolean;
  loadNext(count: number, options: { onComplete: (error: Error | null) => void }): unknown;
}

/** A button that loads the next items of a list. */
export function LoadMore({ pagination, count }: { pagination: Pagination; count: number }) {
  const [error, setError] = useState<Error>();
  const { hasNext, isLoadingNext } = pagination;
  if (!hasNext) return null;
  const load = () => {
    setError(undefined);
    pagination.loadNext(count, { onComplete: (failure) => setError(failure ?? undefined) });
  };
  return (
    <>
      <button type="button" className="button" disabled={isLoadingNext} onClick={load}>
        {isLoadingNext ? 'Loading…' : 'More'}
      </button>
      <ErrorMessage error={error} />
    </>
  );
}

interface Cut {
  count: number;
  /** What the items are, where it is not clear. */
  noun?: string;
  hasMore: boolean;
}

/** Says that a list without a button for more is cut. */
export const OnlyFirst = ({ count, noun, hasMore }: Cut) =>
  hasMore && (
    <p className="muted">
      {noun ? `Only the first ${count} ${noun} are shown.` : `Only the first ${count} are shown.`}
    </p>
  );
