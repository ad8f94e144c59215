import { makeYielder, type Yielder } from '../tick.ts';
import type { PlacedPage } from '../tree/diff.ts';
import type { NodeTimes, PageContent } from '../tree/node.ts';
import type { NodeSource } from '../tree/source.ts';
import type { BodyMerger } from './body-merger.ts';
import type { ConflictResolver, ConflictTarget } from './conflict.ts';
import { mergeFields } from './merge-fields.ts';
import { pageFieldValues, pageWith, storedPageContent } from './page-fields.ts';
import { type PageInVersions, readVersions, type TreeVersions } from './page-versions.ts';
import { type MergedPage, type MergedTree, sealTree } from './seal-tree.ts';
import { type MergedStructure, mergeStructure } from './structure.ts';
import { mapThreeWay, pickSide, type ThreeWay } from './three-way.ts';
import { withUniqueSlugs } from './unique-slugs.ts';

/**
 * Merges three page trees by page id. Bodies that both sides changed are merged by `bodies.run()`; call `seal` after
 * it. Reads only the parts that differ.
 */
export async function mergePages(
  roots: ThreeWay<string>,
  source: NodeSource,
  resolver: ConflictResolver,
  bodies: BodyMerger,
): Promise<{ seal(): Promise<MergedTree> }> {
  const side = pickSide(roots, (a, b) => a === b);
  if (side) return { seal: async () => ({ rootHash: roots[side], newNodes: [] }) };
  const pause = makeYielder();
  const versions = await readVersions(roots, source);
  const structure = await mergeStructure(versions, source, resolver, pause);
  const pages = await mergeContents(versions, structure, { resolver, bodies, pause });
  return {
    async seal() {
      await withUniqueSlugs(pages, versions, structure, source);
      return sealTree(pages, versions, structure.children, pause);
    },
  };
}

async function mergeContents(
  { pages }: TreeVersions,
  { alive, wholes }: MergedStructure,
  { resolver, bodies, pause }: { resolver: ConflictResolver; bodies: BodyMerger; pause: Yielder },
): Promise<Map<string, MergedPage>> {
  const merged = new Map<string, MergedPage>();
  // Includes pages that are left out later, so that the conflicts do not depend on the resolutions of others.
  for (const pageId of alive.keys()) {
    const versions = pages.get(pageId);
    if (!versions) continue;
    const whole = wholes.get(pageId);
    if (whole) merged.set(pageId, asIs(whole));
    else merged.set(pageId, mergePage(pageId, versions, resolver, bodies));
    await pause();
  }
  return merged;
}

function mergePage(
  pageId: string,
  versions: PageInVersions,
  resolver: ConflictResolver,
  bodies: BodyMerger,
): MergedPage {
  const target: ConflictTarget = { type: 'page', id: pageId };
  const fields = mergeFields(
    mapThreeWay(versions, (page) => (page ? pageFieldValues(page.node) : null)),
    target,
    (conflict) => resolver.resolve(conflict),
  );
  const { kind } = versions.theirs?.node ?? { kind: 'document' };
  const merged = { content: pageWith(fields, { kind, pageId }), times: newerTimes(versions) };
  const hashes = mapThreeWay(versions, (page) => ({
    document: page?.node.documentHash,
    source: page?.node.sourceHash,
  }));
  bodies.add(target, hashes, ({ document, source }) => {
    merged.content = withBody(merged.content, document, source);
  });
  return merged;
}

const asIs = ({ node }: PlacedPage): MergedPage => ({
  content: storedPageContent(node),
  times: { createdAt: node.createdAt, updatedAt: node.updatedAt, updatedBy: node.updatedBy },
});

function withBody(
  { documentHash: _before, ...page }: PageContent,
  documentHash: string | undefined,
  sourceHash: string | undefined,
): PageContent {
  const source = sourceHash === undefined || documentHash === undefined ? {} : { sourceHash };
  const content: unknown = documentHash === undefined ? page : { ...page, documentHash, ...source };
  return content as PageContent; // only the body differs
}

/** The times of the side that was written last. Times are ISO 8601 text, which sorts by time. */
function newerTimes({ ours, theirs }: PageInVersions): NodeTimes {
  const [a, b] = [ours?.node, theirs?.node];
  const newer = a && (!b || a.updatedAt > b.updatedAt) ? a : b;
  if (!newer) throw new Error('newerTimes() found the page in neither version.');
  return { createdAt: newer.createdAt, updatedAt: newer.updatedAt, updatedBy: newer.updatedBy };
}
