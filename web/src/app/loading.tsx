import { useEffect, useState } from 'react';

const PATIENCE_MS = 300;

/** Says that something is loading, unless it takes a moment only. */
export function Loading() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className="loading" role="status">
      {isShown && 'Loading…'}
    </p>
  );
}
