import { z } from 'zod';
import type { Block, JSONDocument } from '../../../../lib/document/document.ts';
import type { PlacedPageContent } from '../../../../lib/tree/edit.ts';
import { type FieldsPatch, fieldNames } from '../../../../lib/tree/fields.ts';
import type { LoadedPage } from '../../../../lib/tree/rows.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import { idOf } from '../../../../platform/operation/operation.ts';
import type { AppliedChange } from '../edit-state/applied-change.ts';
import { changeKind } from '../edit-state/change-kind.ts';
import type { ChangePath } from '../edit-state/change-path.ts';
import type { ContentEdit, EarlierPages } from '../edit-state/content-edit.ts';
import { pageRef } from '../page-members.ts';

const input = z
  .object({
    pageId: pageRef.describe('ID of the page to revert. The page can be deleted.'),
    revisionId: idOf('rev')
      .nullish()
      .describe(
        'ID of the revision to revert to. Default in a change request: its initial revision. Required elsewhere.',
      ),
    block: z
      .array(z.string().max(200))
      .min(1)
      .max(500)
      .nullish()
      .describe('Keys of top-level blocks of the body, up to 500. If given, only these blocks are reverted.'),
  })
  .meta({
    inputName: 'RevertPageInput',
    description:
      'Reverts the fields, body and parent of a page to an earlier revision. A deleted page is restored with its ' +
      'descendants. If no revision is given, a page that the change request added is deleted. Pages that it moved below ' +
      'that page return to their parents.',
  });

export const revertPage = changeKind({
  input,
  async prepare({ revertedPages }, { pageId, revisionId }) {
    revertedPages.add(revisionId ?? undefined, pageId);
    return revertedPages;
  },
  async apply(edit, { pageId: idOrRef, revisionId, block }, revertedPages, path) {
    const pageId = edit.refs.idOf(idOrRef);
    const earlier = await edit.earlierPages(revisionId ?? undefined, revertedPages, path);
    const before = earlier.byId.get(pageId);
    const now = (await edit.tree.locate([pageId])).get(pageId);
    if (!before) {
      if (now && revisionId == null && block == null) return deleteAdded(edit, now, path);
      throw badInput([...path, 'pageId'], `is not a page of the revision to revert to: "${pageId}".`, 'NOT_FOUND');
    }
    if (block != null) return revertBlocks(edit, before, block, path);
    if (!now) return restore(edit, before, earlier);
    await edit.tree.updatePage(pageId, fieldsOf(before), before.documentHash, sourceOf(before) ?? null);
    if (now.parentId !== before.parentId) await moveBack(edit, before);
    return [{ action: 'updated', what: 'page', target: pageId }];
  },
});

const sourceOf = ({ node }: LoadedPage): string | undefined => (node.kind === 'document' ? node.sourceHash : undefined);

/** All fields of the kind, with null for those without a value. */
function fieldsOf({ node }: LoadedPage): FieldsPatch {
  const fields: Record<string, unknown> = { ...node.fields };
  return Object.fromEntries(fieldNames[node.kind].map((name) => [name, fields[name] ?? null]));
}

/** Moves a page to its earlier parent, if that still exists. */
async function moveBack({ tree }: ContentEdit, { pageId, parentId }: LoadedPage): Promise<void> {
  const isThere = parentId === null || (await tree.locate([parentId])).has(parentId);
  if (isThere) await tree.movePage(pageId, parentId);
}

/**
 * Deletes a page that the change request added, with those of its descendants that it added. The others move out with
 * what is below them: to their parents in the initial revision, or, if these are deleted, to the parent of the page.
 */
async function deleteAdded(edit: ContentEdit, added: PlacedPageContent, path: ChangePath): Promise<AppliedChange[]> {
  const { tree } = edit;
  const below = await tree.below(added.pageId);
  const belowIds = below.map(({ pageId }) => pageId);
  const initial = below.length === 0 ? new Map<string, LoadedPage>() : await edit.initialPages(belowIds, path);
  const tops = topsOf(below, initial);
  const inside = new Set([added.pageId, ...belowIds]);
  const parents = await tree.locate([...initial.values()].flatMap(({ parentId }) => parentId ?? []));
  const applied: AppliedChange[] = [];
  const moved = new Set<string>();
  // Parents come first, so that a page can return to another one that has moved out before.
  for (const { pageId, parentId } of initial.values()) {
    if (tops.get(pageId) !== pageId) continue;
    const isInside = parentId !== null && inside.has(parentId) && !moved.has(tops.get(parentId) ?? '');
    const isThere = parentId === null || parents.has(parentId);
    await tree.movePage(pageId, isThere && !isInside ? parentId : added.parentId);
    moved.add(pageId);
    applied.push({ action: 'moved', what: 'page', target: pageId });
  }
  await tree.deletePage(added.pageId);
  return [...applied, { action: 'deleted', what: 'page', target: added.pageId }];
}

/**
 * The topmost page that each page has among those of the initial revision. Pages that are below none of them are left
 * out.
 */
function topsOf(pages: readonly PlacedPageContent[], initial: ReadonlyMap<string, LoadedPage>): Map<string, string> {
  const tops = new Map<string, string>();
  for (const { pageId, parentId } of pages) {
    const top = tops.get(parentId ?? '') ?? (initial.has(pageId) ? pageId : undefined);
    if (top !== undefined) tops.set(pageId, top);
  }
  return tops;
}

/**
 * Inserts a page again, with the descendants that do not exist now. Those below a page that has moved return to its new
 * place.
 */
async function restore({ tree }: ContentEdit, top: LoadedPage, earlier: EarlierPages): Promise<AppliedChange[]> {
  const { parentId } = top;
  const present = await tree.locate([...(parentId === null ? [] : [parentId]), ...descendantsOf(top, earlier)]);
  const insert = async (page: LoadedPage, parentId: string | null): Promise<AppliedChange[]> => {
    const { kind, node, pageId, documentHash, position } = page;
    await tree.insertPage({
      kind,
      pageId,
      fields: node.fields,
      ...(documentHash === null ? {} : { documentHash }),
      ...(sourceOf(page) && { sourceHash: sourceOf(page) }),
      parentId,
      position: { at: position },
    } as never); // the fields are those that a page of this kind was stored with
    const applied: AppliedChange[] = [{ action: 'created', what: 'page', target: pageId }];
    return [...applied, ...(await insertBelow(pageId))];
  };
  const insertBelow = async (pageId: string): Promise<AppliedChange[]> => {
    const applied: AppliedChange[] = [];
    for (const child of earlier.byParent.get(pageId) ?? []) {
      applied.push(...(await (present.has(child.pageId) ? insertBelow(child.pageId) : insert(child, pageId))));
    }
    return applied;
  };
  return insert(top, parentId !== null && present.has(parentId) ? parentId : null);
}

const descendantsOf = ({ pageId }: LoadedPage, earlier: EarlierPages): string[] =>
  (earlier.byParent.get(pageId) ?? []).flatMap((child) => [child.pageId, ...descendantsOf(child, earlier)]);

async function revertBlocks(
  edit: ContentEdit,
  before: LoadedPage,
  keys: readonly string[],
  path: ChangePath,
): Promise<AppliedChange[]> {
  const { pageId } = before;
  const old = (await edit.bodyAt(before.documentHash ?? undefined))?.nodes ?? [];
  const now = await edit.bodyOfPage(pageId);
  if (!now) throw badInput([...path, 'block'], `The page "${pageId}" has no body. Revert the whole page.`);
  const nodes = keys.reduce((blocks, key) => withBlock(blocks, old, key, path), now.nodes);
  const body: JSONDocument = { ...now, nodes };
  await edit.tree.updatePage(
    pageId,
    {},
    await edit.write(undefined, { body, isMarkdown: false, isEmpty: nodes.length === 0 }),
  );
  return [{ action: 'updated', what: 'page', target: pageId }];
}

/** Reverts one block: replaces it, removes it, or inserts it after the block that it followed. */
function withBlock(now: Block[], old: Block[], key: string, path: ChangePath): Block[] {
  const at = now.findIndex((block) => block.key === key);
  const place = old.findIndex((block) => block.key === key);
  const was = old[place];
  if (at < 0 && !was)
    throw badInput([...path, 'block'], `The page has no top-level block "${key}" in either revision.`);
  if (!was) return now.toSpliced(at, 1);
  if (at >= 0) return now.with(at, was);
  const earlier = new Map(old.slice(0, place).map((block, index) => [block.key, index]));
  const last = now.reduce((latest, block, index) => (earlier.has(block.key) ? index : latest), -1);
  return now.toSpliced(last + 1, 0, was);
}
