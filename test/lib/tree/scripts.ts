import fc from 'fast-check';
import { openTree, type TreeEditor } from '../../../src/lib/tree/edit.ts';
import { TreeError } from '../../../src/lib/tree/error.ts';
import type { PathLookup } from '../../../src/lib/tree/paths.ts';
import { allPages, applyToModel, type Edit, type Model, type ModelPage, type ModelPosition } from './model.ts';
import { makeTreeStore, type TreeStore } from './store.ts';

/** An edit before it is known which pages there are: pages are named by a number that picks one of them. */
interface Step {
  edit: 'insert' | 'update' | 'move' | 'delete';
  kind: 'document' | 'group' | 'link' | 'computed';
  page: number;
  parent: number | null;
  sibling: number;
  place: 'last' | 'before' | 'after' | 'at';
  title: string;
  slug: string | null | undefined;
  body: number;
}

const titles = ['A', 'B', 'C d', '—'];

const step = fc.record<Step>({
  edit: fc.oneof(
    { weight: 14, arbitrary: fc.constant('insert' as const) },
    { weight: 5, arbitrary: fc.constant('move' as const) },
    { weight: 4, arbitrary: fc.constant('update' as const) },
    { weight: 1, arbitrary: fc.constant('delete' as const) },
  ),
  kind: fc.constantFrom('document', 'document', 'document', 'document', 'document', 'group', 'link', 'computed'),
  page: fc.nat(40),
  parent: fc.option(fc.nat(40), { freq: 3 }),
  sibling: fc.nat(40),
  place: fc.constantFrom('last', 'last', 'before', 'after', 'at'),
  title: fc.constantFrom(...titles),
  slug: fc.constantFrom(undefined, undefined, null, 'x', 'a', 'a-2'),
  body: fc.nat(3),
});

/** Lists of edits, most of which a tree allows. */
export const scripts = (maxLength = 60) => fc.array(step, { maxLength, size: 'max' });

/** The edit that a step stands for in this tree; new pages are named by the number of the step. */
export function editFor(model: Model, step: Step, name: string): Edit {
  const pages = allPages(model);
  const pick = (number: number, from = pages): string =>
    (number > 0 && from[number % from.length]?.pageId) || 'unknown';
  const parentId = parentFor(pages, step.parent, pick);
  const siblings = parentId === null ? model.pages : (pages.find(({ pageId }) => pageId === parentId)?.pages ?? []);
  const position = positionOf(step, pick(step.sibling, siblings));
  const pageId = pick(step.page);
  const { edit, title, slug, body } = step;
  const kind = step.kind === 'group' && step.page > 5 && parentId !== null ? 'document' : step.kind;
  if (edit === 'insert') {
    return {
      edit,
      kind,
      pageId: body === 3 && step.page % 5 === 0 ? pageId : name,
      title,
      slug: slug ?? undefined,
      parentId,
      position,
    };
  }
  if (edit === 'move') return { edit, pageId, parentId, position };
  if (edit === 'delete') return { edit, pageId };
  const documentHash = [undefined, null, 'd1', 'd2'][body];
  return {
    edit,
    pageId,
    title: body > 1 ? title : undefined,
    slug,
    hidden: [undefined, true, false][body],
    documentHash,
  };
}

/** Applies an edit to the editor, and returns the code of its API error. */
export async function applyToEditor(editor: TreeEditor, edit: Edit): Promise<string | null> {
  try {
    await run(editor, edit);
    return null;
  } catch (error) {
    if (error instanceof TreeError) return error.code;
    throw error;
  }
}

export interface Built {
  store: TreeStore;
  model: Model;
  rootHash: string;
}

export const author = { now: '2026-01-01T00:00:00.000Z', userId: 'user_1' };

/** Runs a script on a tree; edits that the tree refuses are left out. */
export async function build(steps: Step[], from?: Built, lookup?: PathLookup, prefix = 'p'): Promise<Built> {
  const store = from?.store ?? makeTreeStore();
  const model = structuredClone(from?.model ?? { pages: [] });
  const editor = await openTree(from?.rootHash ?? null, store.source, lookup);
  for (const [index, each] of steps.entries()) {
    const edit = editFor(model, each, `${prefix}${from ? allPages(from.model).length : 0}_${index}`);
    if (applyToModel(model, edit) === null) await run(editor, edit);
  }
  const { rootHash, newNodes } = editor.commit(author);
  store.add(newNodes);
  return { store, model, rootHash };
}

async function run(editor: TreeEditor, edit: Edit): Promise<void> {
  if (edit.edit === 'delete') return void (await editor.deletePage(edit.pageId));
  if (edit.edit === 'move') return void (await editor.movePage(edit.pageId, edit.parentId, edit.position));
  if (edit.edit === 'update') {
    const { pageId, title, slug, hidden, documentHash } = edit;
    return void (await editor.updatePage(pageId, { title, slug, hidden }, documentHash));
  }
  const { kind, pageId, title, slug, parentId, position } = edit;
  const place = { pageId, parentId, position };
  const target = { kind: 'url', url: title };
  const computed = { type: 'builtin:openapi', props: {} };
  if (kind === 'link') await editor.insertPage({ ...place, kind, fields: { title, target } });
  else if (kind === 'computed') await editor.insertPage({ ...place, kind, fields: { title, slug, computed } });
  else await editor.insertPage({ ...place, kind, fields: { title, slug } });
}

/** Every third parent is the deepest document, so that trees grow downwards too. */
function parentFor(pages: ModelPage[], parent: number | null, pick: (number: number) => string): string | null {
  if (parent === null || pages.length === 0) return null;
  const deepest = pages.findLast(({ kind, pages: below }) => kind === 'document' && below.length < 2);
  return parent % 3 === 1 && deepest ? deepest.pageId : pick(parent);
}

function positionOf({ place, sibling }: Step, siblingId: string): ModelPosition {
  if (place === 'before') return { beforeId: siblingId };
  if (place === 'after') return { afterId: siblingId };
  return place === 'at' ? { at: sibling % 8 } : undefined;
}
