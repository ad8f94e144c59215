import type { JSONDocument } from '../../lib/document/document.ts';
import { openTree, type TreeEditor } from '../../lib/tree/edit.ts';
import { TreeError } from '../../lib/tree/error.ts';
import type { FieldsPatch } from '../../lib/tree/fields.ts';
import type { NewNode } from '../../lib/tree/node.ts';
import { exceptNew, type PathLookup } from '../../lib/tree/paths.ts';
import type { Position } from '../../lib/tree/position.ts';
import type { NodeSource } from '../../lib/tree/source.ts';
import { userIdOf } from '../../platform/access/actor.ts';
import { type Context, nowOf } from '../../platform/context.ts';
import { badInput, conflict } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { loadDocument, type PreparedDocument, type ReadBody, writeOver } from '../documents/index.ts';
import type { ContentChange, InsertPage, MovePage, PagePosition, UpdatePage } from './content-changes.ts';
import type { Bodies } from './read-bodies.ts';

/** What became of one change: the pages that it concerns, by the ids they have. */
export interface AppliedChange {
  kind: 'inserted' | 'updated' | 'moved' | 'deleted';
  pageId: string;
  /** The caller's name of an inserted page. */
  ref?: string;
}

/** The outcome of editing pages: what to store, and what was done. */
export interface EditedPages {
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

/** Applies changes to a tree in their order. Nothing is stored; a change that cannot be is refused, named by its index. */
export async function editPages(
  ctx: Context,
  base: EditBase,
  changes: readonly ContentChange[],
  bodies: Bodies,
): Promise<EditedPages> {
  const fresh = new Set<string>();
  const lookup = base.lookup && exceptNew(base.lookup, fresh);
  const edit = new PageEdit(ctx, base.organizationId, await openTree(base.rootHash, base.source, lookup), fresh);
  for (const [index, change] of changes.entries()) {
    try {
      await edit.apply(change, bodies.get(index), ['changes', index]);
    } catch (error) {
      throw error instanceof TreeError ? refusalOf(error, ['changes', index]) : error;
    }
  }
  return edit.finish();
}

/** A change that the tree refuses: what is taken is a conflict, everything else a fault of the input. */
const refusalOf = (error: TreeError, path: (string | number)[]) =>
  error.code === 'DUPLICATE_PAGE' ? conflict(error.message) : badInput(path, error.message);

class PageEdit {
  readonly #ctx: Context;
  readonly #organizationId: string;
  readonly #tree: TreeEditor;
  /** Pages that this edit inserts. */
  readonly #fresh: Set<string>;
  readonly #refs = new Map<string, string>();
  readonly #documents = new Map<string, PreparedDocument>();
  readonly #applied: AppliedChange[] = [];

  constructor(ctx: Context, organizationId: string, tree: TreeEditor, fresh: Set<string>) {
    this.#fresh = fresh;
    this.#ctx = ctx;
    this.#organizationId = organizationId;
    this.#tree = tree;
  }

  async apply(change: ContentChange, body: ReadBody | undefined, path: (string | number)[]): Promise<void> {
    if (change.insertPage) await this.#insert(change.insertPage, body, [...path, 'insertPage']);
    if (change.updatePage) await this.#update(change.updatePage, body);
    if (change.movePage) await this.#move(change.movePage);
    if (change.deletePage) {
      const pageId = this.#idOf(change.deletePage.pageId);
      await this.#tree.deletePage(pageId);
      this.#applied.push({ kind: 'deleted', pageId });
    }
  }

  finish(): EditedPages {
    const { rootHash, newNodes } = this.#tree.commit({
      now: nowOf(this.#ctx),
      userId: userIdOf(this.#ctx.actor) ?? null,
    });
    return { rootHash, newNodes, documents: [...this.#documents.values()], applied: this.#applied };
  }

  async #insert(page: InsertPage, body: ReadBody | undefined, path: (string | number)[]): Promise<void> {
    const { kind, parentId, position, ref, document: _document, ...fields } = page;
    if (ref != null && this.#refs.has(ref))
      throw badInput([...path, 'ref'], `"${ref}" names another page of this call.`);
    const pageId = newId('page');
    this.#fresh.add(pageId);
    const documentHash = body && this.#write(undefined, body);
    await this.#tree.insertPage({
      kind,
      pageId,
      // Which fields a kind has, and that a link has a target, is checked by the tree.
      fields: withoutNulls(fields) as never,
      ...(documentHash ? { documentHash } : {}),
      parentId: parentId == null ? null : this.#idOf(parentId),
      ...this.#positionOf(position),
    });
    if (ref != null) this.#refs.set(ref, pageId);
    this.#applied.push({ kind: 'inserted', pageId, ...(ref != null ? { ref } : {}) });
  }

  async #update(page: UpdatePage, body: ReadBody | undefined): Promise<void> {
    const { document: _document, parentId, position, pageId: given, ...fields } = page;
    const pageId = this.#idOf(given);
    const documentHash = body && this.#write(body.isMarkdown ? await this.#bodyOf(pageId) : undefined, body);
    // The schema's members are the tree's fields; a null removes one.
    await this.#tree.updatePage(pageId, fields as FieldsPatch, documentHash);
    if (parentId !== undefined || position != null) await this.#moveTo(pageId, parentId, position);
    this.#applied.push({ kind: 'updated', pageId });
  }

  async #move({ pageId: given, parentId, position }: MovePage): Promise<void> {
    const pageId = this.#idOf(given);
    await this.#moveTo(pageId, parentId, position);
    this.#applied.push({ kind: 'moved', pageId });
  }

  async #moveTo(pageId: string, parentId: string | null | undefined, position: PagePosition | null | undefined) {
    const parent = parentId === undefined ? await this.#parentOf(pageId) : parentId && this.#idOf(parentId);
    await this.#tree.movePage(pageId, parent, this.#positionOf(position).position);
  }

  async #parentOf(pageId: string): Promise<string | null> {
    return (await this.#tree.locate([pageId])).get(pageId)?.parentId ?? null;
  }

  /** The body that a page has now, for its keys to be kept. */
  async #bodyOf(pageId: string): Promise<JSONDocument | undefined> {
    const hash = (await this.#tree.locate([pageId])).get(pageId)?.documentHash;
    if (hash === undefined) return undefined;
    return this.#documents.get(hash)?.body ?? (await loadDocument(this.#ctx, this.#organizationId, hash)).body;
  }

  /** The hash of a body, null when it says nothing. */
  #write(previous: JSONDocument | undefined, body: ReadBody): string | null {
    if (body.isEmpty) return null;
    const document = writeOver(previous, body);
    this.#documents.set(document.hash, document);
    return document.hash;
  }

  #idOf(pageIdOrRef: string): string {
    return this.#refs.get(pageIdOrRef) ?? pageIdOrRef;
  }

  #positionOf(position: PagePosition | null | undefined): { position?: Position } {
    if (position?.beforeId != null) return { position: { beforeId: this.#idOf(position.beforeId) } };
    if (position?.afterId != null) return { position: { afterId: this.#idOf(position.afterId) } };
    if (position?.at != null) return { position: { at: position.at } };
    return {};
  }
}

const withoutNulls = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
