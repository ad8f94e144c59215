import { anchorIds, withOwnIds } from '../../../lib/document/anchors.ts';
import type { LoadContents, ReusableRef } from '../../../lib/document/dereference.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { evaluateDocument } from '../../../lib/document/evaluate-document.ts';
import { qualifyReferences } from '../../../lib/document/qualify-references.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { reusableContentBody, reusableContentsIn } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { computeDocument, type ReadRevision } from '../computed-sources/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { expressionScope, type Variables, visibleBody } from '../visibility/index.ts';
import type { ReadingOptions } from './reading-query.ts';
import { isForReaders } from './shown-anchors.ts';

/** Maximum number of other spaces to load reusable contents from, per nesting level. */
const MAX_SPACES = 20;

/** The content that includes reusable contents: a page, or only a revision. */
interface Shower {
  revision: ReadRevision;
  variables?: Variables;
}

/**
 * Loads reusable contents for a body: those of the same space from the same revision, and those of other spaces from
 * the head if the caller can view it. Each is evaluated with the variables of its own space and of the page that
 * includes it.
 */
export const loadContents =
  (ctx: Context, shower: Shower, evaluated: ReadingOptions['evaluated']): LoadContents =>
  async (refs) => {
    const ownSpaceId = shower.revision.spaceId;
    const bySpace = [...Map.groupBy(refs, ({ space }) => space ?? ownSpaceId)].slice(0, MAX_SPACES);
    const contents = await Promise.all(
      bySpace.map(async ([spaceId, spaceRefs]) => {
        const place = spaceId === ownSpaceId ? shower.revision : await headOf(ctx, spaceId);
        const entries = place ? await contentsIn(ctx, place, spaceRefs, { ...shower, evaluated }) : [];
        return spaceId === ownSpaceId
          ? entries
          : entries.map(([ref, body]) => [ref, qualifyReferences(body, spaceId)] as const);
      }),
    );
    const bodies = new Map(contents.flat());
    return refs.map((ref) => bodies.get(ref));
  };

async function headOf(ctx: Context, spaceId: string): Promise<RevisionRow | undefined> {
  const space = await loadSpace(ctx, spaceId);
  return space && loadRevision(ctx, space.revisionId);
}

async function contentsIn(
  ctx: Context,
  revision: RevisionRow,
  refs: readonly ReusableRef[],
  { evaluated, variables, revision: { isUncomputed } }: Shower & Pick<ReadingOptions, 'evaluated'>,
): Promise<(readonly [ReusableRef, JSONDocument])[]> {
  const scope = evaluated === 'false' ? undefined : await expressionScope(ctx, evaluated, revision, variables);
  const ids = refs.map(({ reusableContent }) => reusableContent);
  const contents = await reusableContentsIn(ctx, revision, ids);
  const pending = refs.map(async (ref) => {
    const content = contents.get(ref.reusableContent);
    if (!content || (content.computed && isUncomputed)) return [];
    const body = content.computed
      ? await computeDocument(ctx, revision.organizationId, content.computed)
      : await visibleBody(ctx, revision, (await reusableContentBody(ctx, content)).body, variables);
    const evaluatedBody = scope ? evaluateDocument(body, scope) : body;
    return [
      [
        ref,
        isForReaders(ctx, { evaluated }) ? withOwnIds(evaluatedBody, () => anchorIds(body)) : evaluatedBody,
      ] as const,
    ];
  });
  return (await Promise.all(pending)).flat();
}
