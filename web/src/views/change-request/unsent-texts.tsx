import { useEffect, useState } from 'react';
import { Link } from '../../app/router.tsx';
import { draftsNamed } from '../../drafts/stored-draft.ts';
import { useDraftName } from '../../drafts/use-draft-name.ts';

const CHECKED_MS = 1_000;

/** Says how many texts of the change request are only on this device, so that nobody merges without them. */
export function UnsentTexts({ changeRequestId, base }: { changeRequestId: string; base: string }) {
  const name = useDraftName(`page:${changeRequestId}:`);
  const [pageIds, setPageIds] = useState(() => draftsNamed(name));
  useEffect(() => {
    const timer = setInterval(() => setPageIds(draftsNamed(name)), CHECKED_MS);
    return () => clearInterval(timer);
  }, [name]);
  if (pageIds.length === 0) return null;
  return (
    <p className="notice" role="status">
      {pageIds.length === 1 ? 'A text is' : `${pageIds.length} texts are`} only on this device:{' '}
      {pageIds.map((pageId, index) => (
        <Link key={pageId} className="button" to={`${base}/pages/${pageId}`}>
          Continue editing{pageIds.length > 1 && ` ${index + 1}`}
        </Link>
      ))}
    </p>
  );
}
