import { z } from 'zod';
import type { OutlineBlock } from '../../../../lib/document/markdown/edit/outline-text.ts';
import { type Splice, sortSplices } from '../../../../lib/document/markdown/edit/splice.ts';
import {
  asPart,
  contentWithin,
  gapAfter,
  gapBefore,
  lineEndOf,
  removalOf,
} from '../../../../lib/document/markdown/edit/text-parts.ts';
import { childrenOf } from '../../../../lib/document/walk.ts';
import { makeYielder } from '../../../../lib/tick.ts';
import { withCode } from '../../../../lib/validation/issue-code.ts';
import { badInput, conflict } from '../../../../platform/errors/errors.ts';
import { documentInput } from '../../../store/bodies/index.ts';
import type { ChangePath } from '../edit-state/change-path.ts';
import { type EditTarget, editedPage, inputMarkdown, outlineIn, partialEdit } from './partial-edit.ts';

const blockKey = z.string().min(1).max(200);

const key = blockKey.describe('Key of the block, as `pageOutline` returns it.');

const version = z
  .string()
  .max(100)
  .nullish()
  .describe(
    'Version of the block, as `pageOutline` returns it. CONFLICT, with the current version, if the block has another one.',
  );

const position = {
  beforeKey: blockKey.nullish().describe('Key of the block to place it before.'),
  afterKey: blockKey.nullish().describe('Key of the block to place it after.'),
};

const isOneTarget = ({ beforeKey, afterKey }: { beforeKey?: string | null; afterKey?: string | null }) =>
  beforeKey == null || afterKey == null;

const insertBlocks = z
  .object({ ...position, document: documentInput })
  .refine(isOneTarget, { error: 'must have at most one of beforeKey and afterKey.', ...withCode('ONE_OF') })
  .meta({
    inputName: 'InsertBlocksInput',
    description: 'Inserts blocks before or after a block. Default: at the end of the body.',
  });

const replaceBlock = z
  .object({ key, version, document: documentInput })
  .meta({ inputName: 'ReplaceBlockInput', description: 'Replaces a block with other blocks.' });

const moveBlock = z
  .object({ key, version, ...position })
  .refine(isOneTarget, { error: 'must have at most one of beforeKey and afterKey.', ...withCode('ONE_OF') })
  .meta({
    inputName: 'MoveBlockInput',
    description: 'Moves a block before or after another one. Default: to the end of the body.',
  });

const deleteBlock = z.object({ key, version }).meta({ inputName: 'DeleteBlockInput', description: 'Deletes a block.' });

const blockEdit = z
  .object({
    insert: insertBlocks.optional(),
    replace: replaceBlock.optional(),
    move: moveBlock.optional(),
    delete: deleteBlock.optional(),
  })
  .refine((edit) => Object.values(edit).filter((value) => value !== undefined).length === 1, {
    error: 'must have exactly one of insert, replace, move and delete.',
    ...withCode('ONE_OF'),
  })
  .meta({
    inputName: 'BlockEditInput',
    oneOf: true,
    description: 'One edit of blocks. Exactly one field must be set.',
  });

const input = z
  .strictObject({
    ...editedPage,
    edits: z
      .array(blockEdit)
      .min(1)
      .max(100)
      .describe(
        'Edits of blocks, 1 to 100. Keys and versions are those from before this change. A block can be replaced, moved or deleted once.',
      ),
  })
  .meta({
    inputName: 'EditPageBlocksInput',
    description:
      'Inserts, replaces, moves and deletes blocks at the top level of the body of a page, by their keys. All other blocks are unchanged, byte for byte. Blocks within others, such as items of a list, are edited with the block that contains them or with `editPageText`.',
  });

type Target = EditTarget<z.output<typeof input>>;

export const editPageBlocks = partialEdit({ input, isContained: true, splicesOf });

async function splicesOf(target: Target): Promise<Splice[]> {
  const { page, change, path } = target;
  const { text } = page;
  const blocks = new Blocks(target, (await outlineIn(target)).blocks);
  const lineEnd = lineEndOf(text);
  const removed: { from: number; to: number }[] = [];
  const insertions = new Map<number, { parts: string[]; index: number }>();
  const splices: { splice: Splice; index: number }[] = [];
  const insert = (part: string, at: number, index: number) => {
    const insertion = insertions.get(at) ?? { parts: [], index };
    insertion.parts.push(part);
    insertions.set(at, insertion);
  };
  const pause = makeYielder();
  for (const [index, { insert: inserted, replace, move, delete: deleted }] of change.edits.entries()) {
    await pause();
    const at = [...path, 'edits', index];
    if (inserted) {
      const part = await partOf(target, inserted.document, [...at, 'insert'], lineEnd);
      insert(part, blocks.placeOf(inserted, [...at, 'insert']), index);
    } else if (replace) {
      const { from, to } = blocks.take(replace, [...at, 'replace']);
      const part = await partOf(target, replace.document, [...at, 'replace'], lineEnd);
      splices.push({ splice: { from, to, text: part }, index });
    } else if (move) {
      const block = blocks.take(move, [...at, 'move']);
      insert(text.slice(block.from, block.to), blocks.placeOf(move, [...at, 'move']), index);
      removed.push(removalOf(text, block));
    } else if (deleted) {
      removed.push(removalOf(text, blocks.take(deleted, [...at, 'delete'])));
    }
  }
  for (const range of union(removed)) splices.push({ splice: { ...range, text: '' }, index: -1 });
  for (const [at, { parts, index }] of insertions) {
    const part = parts.join(lineEnd + lineEnd);
    const gaps = [gapBefore(text, at, lineEnd), gapAfter(text, at, lineEnd)];
    splices.push({ splice: { from: at, to: at, text: gaps.join(part) }, index });
  }
  const ordered = sortSplices(splices.map(({ splice }) => splice));
  if ('sorted' in ordered) return ordered.sorted;
  const index = Math.max(...ordered.overlap.map((i) => splices[i]?.index ?? -1));
  throw badInput(
    [...path, 'edits', Math.max(0, index)],
    'is next to a block that another edit moves or deletes. Place it at another block, or send it as a further change.',
  );
}

/** The blocks of the page. Each can be edited once. */
class Blocks {
  readonly #target: Target;
  readonly #byKey: Map<string, OutlineBlock>;
  readonly #editedKeys = new Set<string>();
  #end: number | undefined;

  constructor(target: Target, blocks: readonly OutlineBlock[]) {
    this.#target = target;
    this.#byKey = new Map(blocks.map((block) => [block.key, block]));
  }

  /** A block to replace, move or delete. */
  take({ key, version: expected }: { key: string; version?: string | null | undefined }, path: ChangePath) {
    const block = this.#find(key, [...path, 'key']);
    if (expected != null && expected !== block.version) {
      throw conflict(
        `${path.join('.')}: The block "${key}" of the page "${this.#target.page.pageId}" has the version "${block.version}", not "${expected}": it has changed since it was read. Read it again (pageOutline, pageText), and send the edit with the current version.`,
      );
    }
    if (this.#editedKeys.has(key)) {
      throw badInput([...path, 'key'], `is edited twice: "${key}". Make one edit of the two.`, 'DUPLICATE');
    }
    this.#editedKeys.add(key);
    return block;
  }

  /** The place in the text before or after a block; without one, after the last content. */
  placeOf(
    { beforeKey, afterKey }: { beforeKey?: string | null | undefined; afterKey?: string | null | undefined },
    path: ChangePath,
  ): number {
    if (beforeKey != null) return this.#find(beforeKey, [...path, 'beforeKey']).from;
    if (afterKey != null) return this.#find(afterKey, [...path, 'afterKey']).to;
    const { text } = this.#target.page;
    this.#end ??= contentWithin(text, { from: 0, to: text.length })?.to ?? 0;
    return this.#end;
  }

  #find(key: string, path: ChangePath): OutlineBlock {
    const block = this.#byKey.get(key);
    if (block?.count === 1) return block;
    if (block) {
      throw badInput(
        [...path],
        `shares its lines (from ${block.firstLine + 1}) with other blocks: "${key}". Edit them with editPageText.`,
      );
    }
    const around = this.#target.page.document.nodes.find((node) => holds(node, key));
    throw badInput(
      [...path],
      around
        ? `is within the block "${around.key}": "${key}". Replace that block, or use editPageText.`
        : `is not a block of this page: "${key}". Read its keys with pageOutline.`,
      'NOT_FOUND',
    );
  }
}

type Node = Parameters<typeof childrenOf>[0];

function holds(node: Node, key: string): boolean {
  const pending = [node];
  for (let current = pending.pop(); current; current = pending.pop()) {
    if (current.key === key) return true;
    for (const child of childrenOf(current)) pending.push(child);
  }
  return false;
}

async function partOf(
  target: Target,
  document: z.output<typeof documentInput>,
  path: ChangePath,
  lineEnd: string,
): Promise<string> {
  const part = asPart(await inputMarkdown(target, document, [...path, 'document']), lineEnd);
  if (part === '') throw badInput([...path, 'document'], 'has no content. Use delete to remove a block.', 'REQUIRED');
  return part;
}

/** Joins ranges that touch or overlap. */
function union(ranges: readonly { from: number; to: number }[]): { from: number; to: number }[] {
  const joined: { from: number; to: number }[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else joined.push({ ...range });
  }
  return joined;
}
