import { useMemo } from 'react';
import { Blocks } from './blocks.tsx';
import type { DocumentJson } from './nodes.ts';
import { type Place, ReferencesProvider } from './references.tsx';

/** A document as the graph returns it, with what it refers to. */
export function DocumentView({ document, place }: { document: unknown; place: Place }) {
  const nodes = document as DocumentJson; // the schema of documents is in the handbook
  const { organizationId, spaceId, contentId, revisionId } = place;
  const stable = useMemo(
    () => ({ organizationId, spaceId, contentId, revisionId }),
    [organizationId, spaceId, contentId, revisionId],
  );
  return (
    <ReferencesProvider document={nodes} place={stable}>
      <div className="document">
        <Blocks blocks={nodes.nodes} />
      </div>
    </ReferencesProvider>
  );
}
