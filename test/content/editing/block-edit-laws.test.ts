import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitFrontMatter } from '../../../src/lib/front-matter.ts';
import { lawRuns } from '../../how-thorough.ts';
import { world } from '../../world.ts';
import { aSpace } from './arrange.ts';

/** How often the law is tried on each text. */
const runs = lawRuns(1);

const HANDBOOK = join(import.meta.dirname, '..', '..', '..', 'src', 'demo', 'handbook');

/** Texts of the handbook, and of whatever documentation `DOCUMENTATION` names a folder of. */
const texts = [HANDBOOK, ...(process.env.DOCUMENTATION ? [process.env.DOCUMENTATION] : [])]
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
  .filter((file) => file.endsWith('.md'))
  .map((file) => splitFrontMatter(readFileSync(file, 'utf8')).body)
  .filter((text) => text.length > 1_000 && text.length < 40_000);

interface Block {
  key: string;
  type: string;
  from: number;
  to: number;
  version: string;
}

const { admin, editor, organizationId } = await world();
const { spaceId, pageId } = await aSpace(admin, organizationId);
const change = (changes: unknown[]) => editor.post(`/v1/spaces/${spaceId}/content`, { changes });

async function read() {
  const path = `/v1/spaces/${spaceId}/content/page/${pageId}`;
  const [{ body: part }, { body: outline }] = await Promise.all([
    editor.get(`${path}/text`),
    editor.get(`${path}/outline`),
  ]);
  return { text: part.text as string, blocks: outline.blocks as Block[] };
}

/** Text that no block beside it takes up. */
const added = fc.constantFrom('A new paragraph.', '## A new heading', '```sh\nnew code\n```');
const edits = fc.array(
  fc.record({ kind: fc.constantFrom('insert', 'replace', 'move', 'delete'), at: fc.nat(), to: fc.nat(), added }),
  { minLength: 1, maxLength: 3 },
);

/** A paragraph or heading. Without one between two lists, they would be one list. */
function isPlain({ type }: Block, index: number, blocks: Block[]): boolean {
  const isBetweenLists = [index - 1, index + 1].every((near) => blocks[near]?.type.startsWith('list'));
  return !isBetweenLists && (type === 'paragraph' || type.startsWith('heading'));
}

/** Edits of different blocks that are not next to each other. The keys of those that are replaced, moved or deleted. */
function planned(blocks: Block[], wanted: { kind: string; at: number; to: number; added: string }[]) {
  const used = new Set<number>();
  const isFree = (index: number) => ![index - 1, index, index + 1].some((near) => used.has(near));
  const named: string[] = [];
  const planned: object[] = [];
  const plain = blocks
    .map((block, index) => ({ block, index }))
    .filter(({ block, index }) => isPlain(block, index, blocks));
  for (const { kind, at, to, added: markdown } of wanted) {
    const from = plain[at % Math.max(1, plain.length)];
    if (!from || !isFree(from.index)) continue;
    const { key } = from.block;
    used.add(from.index);
    if (kind === 'insert') planned.push({ insert: { afterKey: key, document: { markdown } } });
    else if (kind === 'replace') planned.push({ replace: { key, document: { markdown } } });
    else if (kind === 'delete') planned.push({ delete: { key } });
    else {
      const target = plain[to % plain.length];
      if (!target || !isFree(target.index)) continue;
      used.add(target.index);
      planned.push({ move: { key, beforeKey: target.block.key } });
    }
    if (kind !== 'insert') named.push(key);
  }
  return { planned, named };
}

const withoutBlankLines = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

test('edits of blocks change no byte of the others, nor their keys, order or what stands between them', async () => {
  let count = 0;
  for (const text of texts) {
    await change([{ operation: 'update_page', page: pageId, document: { markdown: text } }]);
    let before = await read();
    await fc.assert(
      fc.asyncProperty(edits, async (wanted) => {
        const { planned: planning, named } = planned(before.blocks, wanted);
        if (planning.length === 0) return;
        const { status, body } = await change([{ operation: 'edit_page_blocks', page: pageId, edits: planning }]);
        const after = await read();
        if (status === 400) {
          // Some texts have tags or code without an end, so that an edit would change what is below.
          expect(body.error.message).toContain('changes what other parts of the page mean');
          expect(after).toEqual(before);
          return;
        }
        expect(status, JSON.stringify(body)).toBe(200);
        count += 1;
        const others = ({ blocks }: { blocks: Block[] }) => {
          const keys = new Set(before.blocks.map(({ key }) => key).filter((key) => !named.includes(key)));
          return blocks.filter(({ key }) => keys.has(key)).map(({ key, version }) => `${key} ${version}`);
        };
        expect(others(after)).toEqual(others(before));
        // Lines are added and removed by the edits alone: comments and definitions between blocks stay, too.
        const linesOf = ({ from, to }: Block) => before.text.split('\n').slice(from - 1, to);
        const removed = before.blocks.filter(({ key }) => named.includes(key)).flatMap((block) => linesOf(block));
        const kept = withoutBlankLines(before.text).filter((line) => !removed.includes(line));
        const now = withoutBlankLines(after.text);
        let at = 0;
        for (const line of now) if (line === kept[at]) at += 1;
        expect(kept.slice(at)).toEqual([]);
        before = after;
      }),
      { numRuns: runs, endOnFailure: true },
    );
  }
  expect(count).toBeGreaterThan(runs * texts.length * 0.8);
}, 600_000);
