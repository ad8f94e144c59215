import { readBody, storeDocuments } from '../../../src/domain/store/bodies/index.ts';
import { countLinksAround } from '../../../src/domain/store/link-counts/index.ts';
import { deriveFromBody, type PreparedDocument } from '../../../src/domain/store/prepared-bodies/index.ts';
import { projectOntoHead } from '../../../src/domain/store/trees/head.ts';
import { writeNodes } from '../../../src/domain/store/trees/index.ts';
import { openTree } from '../../../src/lib/tree/edit.ts';
import { type NodeSource, remember } from '../../../src/lib/tree/source.ts';
import { type Context, nowOf } from '../../../src/platform/context/context.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { projectTree } from '../../lib/tree/whole-tree.ts';
import { type Draw, markdownOf, titleOf } from './prose.ts';

const CHILDREN = 6;

export interface NewTree {
  organizationId: string;
  authorId: string;
  pages: number;
  /** How many pages stand under one page, and at the top level. Default 6. */
  children?: number;
}

export interface NewContent extends NewTree {
  spaceId: string;
}

/**
 * Writes a page tree with bodies and its projection onto the head of a space, as an import would; answers the root's
 * hash in hex. Pages fill the tree level by level.
 */
export async function writeContent(ctx: Context, draw: Draw, content: NewContent): Promise<string> {
  const { rootHash, source } = await writeTree(ctx, draw, content);
  const rows = await projectTree(rootHash, source);
  const holders = { pages: rows.map(({ pageId }) => pageId), contents: [] };
  await countLinksAround(ctx, content, { holders, targets: [], anchored: [] }, () =>
    projectOntoHead(ctx, content, { upserts: rows, deletes: [], newPaths: [] }),
  );
  return rootHash;
}

/** The same without a projection: nothing shows the tree yet. */
export async function writeTree(
  ctx: Context,
  draw: Draw,
  content: NewTree,
): Promise<{ rootHash: string; source: NodeSource }> {
  const { organizationId, authorId, children = CHILDREN } = content;
  const source = remember(async () => new Map());
  const tree = await openTree(null, source);
  const pageIds = Array.from({ length: content.pages }, () => newId('page'));
  const documents: PreparedDocument[] = [];
  for (const [index, pageId] of pageIds.entries()) {
    const linked = pageIds[draw(pageIds.length)] ?? pageId;
    const read = await readBody(ctx, organizationId, { markdown: markdownOf(draw, linked) }, []);
    if (!read) throw new Error('Markdown makes a body.');
    const document = deriveFromBody(read.body);
    documents.push(document);
    const parentId = pageIds[Math.floor(index / children) - 1] ?? null;
    const fields = { title: titleOf(draw), description: titleOf(draw) };
    await tree.insertPage({ kind: 'document', pageId, fields, documentHash: document.hash, parentId });
  }
  const { rootHash, newNodes } = tree.commit({ now: nowOf(ctx), userId: authorId });
  source.add(newNodes);
  await storeDocuments(ctx, organizationId, documents);
  await writeNodes(ctx, organizationId, newNodes);
  return { rootHash, source };
}
