import type { JSONDocument } from '../../lib/document/document.ts';
import { openTree, type TreeEditor } from '../../lib/tree/edit.ts';
import { TreeError } from '../../lib/tree/error.ts';
import type { NewNode } from '../../lib/tree/node.ts';
import { exceptNew, type PathLookup } from '../../lib/tree/paths.ts';
import type { NodeSource } from '../../lib/tree/source.ts';
import { userIdOf } from '../../platform/access/actor.ts';
import { type Context, nowOf } from '../../platform/context.ts';
import { badInput, conflict } from '../../platform/errors.ts';
import { loadDocument, type PreparedDocument, type ReadBody, writeOver } from '../documents/index.ts';
import type { AppliedChange } from './applied-change.ts';
import type { PreparedChanges } from './prepare-changes.ts';
import type { Refs } from './refs.ts';

/** The outcome of changes: what to store, and what was done. */
export interface EditedContent {
  rootHash: string;
  newNodes: NewNode[];
  documents: PreparedDocument[];
  applied: AppliedChange[];
}

/** Where an edit starts: a root of an organization, how to load nodes, and how to find pages without reading all of them. */
export interface EditBase {
  organizationId: string;
  rootHash: string;
  source: NodeSource;
  lookup?: PathLookup | undefined;
}

/** Applies changes in their order. Nothing is stored; a change that cannot be is refused, named by its place. */
export async function editContent(
  ctx: Context,
  base: EditBase,
  { changes, refs }: PreparedChanges,
): Promise<EditedContent> {
  const lookup = base.lookup && exceptNew(base.lookup, refs.created);
  const edit = new ContentEdit(ctx, base.organizationId, await openTree(base.rootHash, base.source, lookup), refs);
  const applied: AppliedChange[] = [];
  for (const { kind, change, ready, path } of changes) {
    try {
      applied.push(...(await kind.apply(edit, change, ready, path)));
    } catch (error) {
      throw error instanceof TreeError ? refusalOf(error, path.slice(0, 2)) : error;
    }
  }
  return { ...edit.finish(), applied };
}

/** A change that the tree refuses: what is taken is a conflict, everything else a fault of the input. */
const refusalOf = (error: TreeError, path: (string | number)[]) =>
  error.code === 'DUPLICATE_PAGE' ? conflict(error.message) : badInput(path, error.message);

/** The content of one revision while changes are applied to it. */
export class ContentEdit {
  readonly ctx: Context;
  readonly organizationId: string;
  readonly tree: TreeEditor;
  readonly refs: Refs;
  readonly #documents = new Map<string, PreparedDocument>();

  constructor(ctx: Context, organizationId: string, tree: TreeEditor, refs: Refs) {
    this.ctx = ctx;
    this.organizationId = organizationId;
    this.tree = tree;
    this.refs = refs;
  }

  /** The hash of a body, null when it says nothing. It is written over another where keys are to be kept. */
  write(previous: JSONDocument | undefined, body: ReadBody): string | null {
    if (body.isEmpty) return null;
    const document = writeOver(previous, body);
    this.#documents.set(document.hash, document);
    return document.hash;
  }

  /** The body that a page has now. */
  async bodyOfPage(pageId: string): Promise<JSONDocument | undefined> {
    return this.bodyAt((await this.tree.locate([pageId])).get(pageId)?.documentHash);
  }

  /** A body by its hash, whether it is stored or was written by this edit. */
  async bodyAt(hash: string | undefined): Promise<JSONDocument | undefined> {
    if (hash === undefined) return undefined;
    return this.#documents.get(hash)?.body ?? (await loadDocument(this.ctx, this.organizationId, hash)).body;
  }

  finish(): Omit<EditedContent, 'applied'> {
    const { rootHash, newNodes } = this.tree.commit({
      now: nowOf(this.ctx),
      userId: userIdOf(this.ctx.actor) ?? null,
    });
    return { rootHash, newNodes, documents: [...this.#documents.values()] };
  }
}
