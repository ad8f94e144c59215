interface Pagination {
  hasNext: boolean;
  isLoadingNext: boolean;
  loadNext(count: number): unknown;
}

/** A button that loads the next items of a list. */
export function LoadMore({ pagination, count }: { pagination: Pagination; count: number }) {
  if (!pagination.hasNext) return null;
  return (
    <button
      type="button"
      className="button"
      disabled={pagination.isLoadingNext}
      onClick={() => pagination.loadNext(count)}
    >
      {pagination.isLoadingNext ? 'Loading…' : 'More'}
    </button>
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
