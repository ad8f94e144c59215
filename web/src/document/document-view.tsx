import { useMemo } from 'react';
import { BLOCKS } from './blocks.tsx';
import { INLINES } from './inlines.tsx';
import type { DocumentJson } from './nodes.ts';
import { type Place, ReferencesProvider } from './references.tsx';
import { Blocks, NodeComponentsContext } from './render.tsx';

const COMPONENTS = { blocks: BLOCKS, inlines: INLINES };

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
      <NodeComponentsContext value={COMPONENTS}>
        <div className="document">
          <Blocks blocks={nodes.nodes} />
        </div>
      </NodeComponentsContext>
    </ReferencesProvider>
  );
}
