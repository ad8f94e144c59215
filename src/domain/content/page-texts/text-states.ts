import { hashOf } from '../../../lib/canonical.ts';
import type { ComputedFields, DocumentFields } from '../../../lib/tree/node.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { EventKind } from '../../../platform/events/kinds.ts';
import { toHex } from '../../store/revisions/index.ts';
import { selectChangedPageIds } from '../../store/trees/index.ts';
import { findReadPages, kindOfSource, type ReadRevision } from '../computed-sources/index.ts';
import { revisionOf } from '../revisions/index.ts';

/** The content of a space or of a change request, which is named by its id or number. */
export interface ContentName {
  spaceId: string;
  changeRequestId?: string | undefined;
}

/** The state of a page's text, to find out later whether it was edited. */
export interface TextState {
  /** Another one after the text was edited or, for computed pages, after the source has changed. */
  version: string;
  /** The stored page: a computed page for the pages that are computed from its source. */
  storedId: string;
  /** The events after which a computed page can be another one. */
  source?:
    | {
        kinds: readonly EventKind[];
        /** The only space whose events these are. Undefined for all events of the organization. */
        spaceId: string | undefined;
      }
    | undefined;
}

/** The states of the texts of some pages in a revision. */
export interface TextStates {
  organizationId: string;
  /** Id of the change request. Null for the primary content of a space. */
  changeRequestId: string | null;
  revisionId: string;
  rootHash: string;
  /** By page id. Pages that do not exist or have no body are left out. */
  pages: ReadonlyMap<string, TextState>;
}

/** Reads the states of pages' texts without reading the texts. Throws the errors of `revisionOf`. */
export async function textStatesFor(ctx: Context, name: ContentName, pageIds: readonly string[]): Promise<TextStates> {
  return statesIn(ctx, await revisionOf(ctx, name), { pageIds: () => pageIds });
}

/**
 * Reads the states again, of the pages that can have changed. Of the others, and of those that no longer exist, it has
 * the given states.
 */
export async function textStatesSince(ctx: Context, name: ContentName, before: TextStates): Promise<TextStates> {
  const now = await statesIn(ctx, await revisionOf(ctx, name), {
    pageIds: (revision) => changeableIn(ctx, revision, before),
    canBeComputed: (pageId) => before.pages.get(pageId)?.source !== undefined,
  });
  return { ...now, pages: new Map([...before.pages, ...now.pages]) };
}

/** The pages that can have another state in a revision. */
async function changeableIn(
  ctx: Context,
  { id, organizationId, rootHash }: ReadRevision,
  before: TextStates,
): Promise<string[]> {
  const pages = [...before.pages];
  const idsWhere = (canDiffer: (state: TextState) => boolean) =>
    pages.flatMap(([pageId, state]) => (canDiffer(state) ? [pageId] : []));
  if (id === before.revisionId) return idsWhere(({ source }) => source !== undefined);
  // In the primary content, reading pages by their ids takes one statement. Elsewhere, they have to be found in the
  // tree.
  if (before.changeRequestId === null) return idsWhere(() => true);
  const trees = { organizationId, before: before.rootHash, after: toHex(rootHash) };
  const changed = await selectChangedPageIds(
    ctx.db,
    trees,
    pages.map(([, { storedId }]) => storedId),
  );
  return idsWhere(({ storedId, source }) => source !== undefined || changed.has(storedId));
}

type Named = Awaited<ReturnType<typeof revisionOf>>;

interface PageSelection {
  pageIds(revision: ReadRevision): readonly string[] | Promise<readonly string[]>;
  /** Whether a page that is not stored is looked for among computed ones. By default, all are. */
  canBeComputed?(pageId: string): boolean;
}

async function statesIn(
  ctx: Context,
  { revision, changeRequestId }: Named,
  { pageIds, canBeComputed }: PageSelection,
): Promise<TextStates> {
  const { id: revisionId, organizationId, rootHash } = revision;
  const foundPages = await findReadPages(ctx, revision, await pageIds(revision), canBeComputed);
  const sources = new Map<string, TextState['source']>();
  const pages = new Map<string, TextState>();
  for (const [pageId, { page, expanded: [root] = [] }] of foundPages) {
    if (page.kind !== 'document') continue;
    const { documentHash, node } = page;
    if (!root) {
      pages.set(pageId, { version: `${documentHash} ${node.sourceHash ?? null}`, storedId: pageId });
      continue;
    }
    const source = sources.get(root.pageId) ?? (await sourceOf(ctx, organizationId, root));
    sources.set(root.pageId, source);
    const { computed, computedSeed } = node.fields as DocumentFields;
    pages.set(pageId, { version: hashOf({ computed, computedSeed }), storedId: root.pageId, source });
  }
  return { organizationId, changeRequestId, revisionId, rootHash: toHex(rootHash), pages };
}

/** The events that concern a computed page, by the first of the pages that replace it. */
async function sourceOf(ctx: Context, organizationId: string, { node }: LoadedPage): Promise<TextState['source']> {
  const source = (node.fields as ComputedFields).computed;
  const kind = kindOfSource(source);
  return kind && { kinds: kind.changesWith, spaceId: await kind.spaceIdOf?.(ctx, organizationId, source) };
}
