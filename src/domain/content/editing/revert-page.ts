import { z } from 'zod';
import type { Block, JSONDocument } from '../../../lib/document/document.ts';
import { type FieldsPatch, fieldNames } from '../../../lib/tree/fields.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { badInput } from '../../../platform/errors.ts';
import { idOf } from '../../../platform/operation.ts';
import type { AppliedChange } from './applied-change.ts';
import { changeKind } from './change-kind.ts';
import type { ChangePath } from './change-path.ts';
import type { ContentEdit } from './content-edit.ts';
import { pageRef } from './page-members.ts';

const input = z
  .object({
    pageId: pageRef.describe('The page that goes back; also one that was deleted since.'),
    revisionId: idOf('rev')
      .nullish()
      .describe(
        'The state that it goes back to. In a change request by default the primary content that it began from.',
      ),
    block: z
      .array(z.string().max(200))
      .min(1)
      .max(500)
      .nullish()
      .describe('Keys of blocks at the top of the body: only these go back, and nothing else of the page.'),
  })
  .meta({
    inputName: 'RevertPageInput',
    description:
      'Puts a page back to an earlier state: fields, body and parent. One that was deleted since comes back with what ' +
      'was below it; one that a change request added goes away.',
  });

export const revertPage = changeKind({
  input,
  async apply(edit, { pageId: given, revisionId, block }, _ready, path) {
    const pageId = edit.refs.idOf(given);
    const earlier = await edit.pagesOf(revisionId ?? undefined, path);
    const before = earlier.find((page) => page.pageId === pageId);
    const now = (await edit.tree.locate([pageId])).get(pageId);
    if (!before && (!now || revisionId != null || block != null)) {
      throw badInput([...path, 'pageId'], `There was no page "${pageId}" in the revision that it should go back to.`);
    }
    if (!before) {
      await edit.tree.deletePage(pageId);
      return [{ action: 'deleted', what: 'page', target: pageId }];
    }
    if (block != null) return revertBlocks(edit, before, block, path);
    if (!now) return restore(edit, before, earlier);
    await edit.tree.updatePage(pageId, fieldsOf(before), before.documentHash);
    if (now.parentId !== before.parentId) await moveBack(edit, before);
    return [{ action: 'updated', what: 'page', target: pageId }];
  },
});

/** Every field that the kind has, with null for those that were not set. */
function fieldsOf({ node }: LoadedPage): FieldsPatch {
  const fields: Record<string, unknown> = { ...node.fields };
  return Object.fromEntries(fieldNames[node.kind].map((name) => [name, fields[name] ?? null]));
}

/** The parent that it had, while that is there; else it stays where it is. */
async function moveBack({ tree }: ContentEdit, { pageId, parentId }: LoadedPage): Promise<void> {
  const isThere = parentId === null || (await tree.locate([parentId])).has(parentId);
  if (isThere) await tree.movePage(pageId, parentId);
}

/** Inserts a page again, with those of its descendants that are nowhere else now. */
async function restore(edit: ContentEdit, top: LoadedPage, earlier: readonly LoadedPage[]): Promise<AppliedChange[]> {
  const { tree } = edit;
  const byParent = Map.groupBy(earlier, ({ parentId }) => parentId);
  const insert = async (page: LoadedPage, parentId: string | null): Promise<AppliedChange[]> => {
    const { kind, node, pageId, documentHash, position } = page;
    await tree.insertPage({
      kind,
      pageId,
      fields: node.fields,
      ...(documentHash === null ? {} : { documentHash }),
      parentId,
      position: { at: position },
    } as never); // the fields are those that a page of this kind was stored with
    const applied: AppliedChange[] = [{ action: 'created', what: 'page', target: pageId }];
    for (const child of byParent.get(pageId) ?? []) {
      if (!(await tree.locate([child.pageId])).has(child.pageId)) applied.push(...(await insert(child, pageId)));
    }
    return applied;
  };
  const { parentId } = top;
  const hasParent = parentId !== null && (await tree.locate([parentId])).has(parentId);
  return insert(top, hasParent ? parentId : null);
}

async function revertBlocks(
  edit: ContentEdit,
  before: LoadedPage,
  keys: readonly string[],
  path: ChangePath,
): Promise<AppliedChange[]> {
  const { pageId } = before;
  const old = (await edit.bodyAt(before.documentHash ?? undefined))?.nodes ?? [];
  const now = await edit.bodyOfPage(pageId);
  if (!now) throw badInput([...path, 'block'], `The page "${pageId}" has no body now; put the whole page back.`);
  const nodes = keys.reduce((blocks, key) => withBlock(blocks, old, key, path), now.nodes);
  const body: JSONDocument = { ...now, nodes };
  await edit.tree.updatePage(
    pageId,
    {},
    await edit.write(undefined, { body, isMarkdown: false, isEmpty: nodes.length === 0 }),
  );
  return [{ action: 'updated', what: 'page', target: pageId }];
}

/** The blocks, with one of them as it was: replaced, taken out, or put back behind the block that it followed. */
function withBlock(now: Block[], old: Block[], key: string, path: ChangePath): Block[] {
  const at = now.findIndex((block) => block.key === key);
  const place = old.findIndex((block) => block.key === key);
  const was = old[place];
  if (at < 0 && !was)
    throw badInput([...path, 'block'], `There is no block "${key}" at the top of the page, now or then.`);
  if (!was) return now.toSpliced(at, 1);
  if (at >= 0) return now.with(at, was);
  const earlier = new Map(old.slice(0, place).map((block, index) => [block.key, index]));
  const behind = now.reduce((last, block, index) => (earlier.has(block.key) ? index : last), -1);
  return now.toSpliced(behind + 1, 0, was);
}
