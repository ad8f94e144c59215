import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentOf } from '../../../src/lib/document/empty.ts';
import { textOf } from '../../../src/lib/document/plain-text.ts';
import type { Conflict, Resolution } from '../../../src/lib/merge/conflict.ts';
import type { ContentVersion } from '../../../src/lib/merge/merge-versions.ts';
import { openTree } from '../../../src/lib/tree/edit.ts';
import { TreeError } from '../../../src/lib/tree/error.ts';
import { lawRuns } from '../../how-thorough.ts';
import { author } from '../tree/scripts.ts';
import { type ContentStore, line, makeContentStore, mergeWith, onlyPages, placedIn, treeOf } from './merging.ts';

/** An edit: writes a sentence into a page, or changes the tree. */
const edit = fc.record({
  edit: fc.constantFrom('write', 'write', 'write', 'rewrite', 'strike', 'page', 'move', 'delete'),
  page: fc.nat(20),
  other: fc.nat(20),
  at: fc.nat(20),
});

const edits = fc.array(edit, { maxLength: 6 });

type Edits = { edit: string; page: number; other: number; at: number }[];

/** A change request over several rounds of edits and updates, merged at the end. */
const stories = fc.record({
  start: fc.array(edit, { minLength: 4, maxLength: 14, size: 'max' }),
  rounds: fc.array(fc.record({ ours: edits, main: edits }), { minLength: 1, maxLength: 4 }),
  choices: fc.infiniteStream(fc.constantFrom('ours', 'theirs', 'base')),
});

class Story {
  readonly store: ContentStore = makeContentStore();
  /** All written sentences by their page. */
  readonly written = new Map<string, string>();
  /** Sentences that were removed again: deleted, rewritten, or deleted with their page. */
  readonly gone = new Set<string>();
  #count = 0;

  /** Applies edits to a version, without those that the tree rejects. */
  async edited(from: string | null, list: Edits, by: string): Promise<string> {
    let root = from;
    for (const each of list) {
      try {
        root = await this.#apply(root, each, by);
      } catch (error) {
        if (!(error instanceof TreeError)) throw error;
      }
    }
    if (root !== null) return root;
    return this.#commit(await openTree(null, this.store.nodes.source));
  }

  async sentencesIn(root: string): Promise<Set<string>> {
    const pages = placedIn(await treeOf(this.store, root)).values();
    return new Set([...pages].flatMap(({ page }) => this.#blocksOf(page.documentHash).map(textOf)));
  }

  async #apply(root: string | null, { edit, page, other, at }: Edits[number], by: string): Promise<string> {
    const tree = await openTree(root, this.store.nodes.source);
    const pages = root === null ? [] : [...placedIn(await treeOf(this.store, root)).values()].map((each) => each.page);
    const name = `${by}${this.#count++}`;
    const found = pages[page % Math.max(pages.length, 1)];
    if (!found || edit === 'page') {
      const parentId = found && other % 2 === 0 ? found.pageId : null;
      const place = { pageId: name, fields: { title: name }, parentId };
      await tree.insertPage({ kind: 'document', ...place });
      await tree.updatePage(name, {}, this.#keep([line(name, this.#sentence(name, name))]));
      return this.#commit(tree);
    }
    const blocks = this.#blocksOf(found.documentHash);
    const place = at % (blocks.length + 1);
    if (edit === 'move') {
      await tree.movePage(found.pageId, pages[other % pages.length]?.pageId ?? null, { at });
    } else if (edit === 'delete' && other % 3 === 0) {
      const deleted = new Set(await tree.deletePage(found.pageId));
      for (const { pageId, documentHash } of pages) {
        if (deleted.has(pageId)) for (const block of this.#blocksOf(documentHash)) this.gone.add(textOf(block));
      }
    } else if (edit === 'write' || blocks.length === 0) {
      const next = blocks.toSpliced(place, 0, line(name, this.#sentence(name, found.pageId)));
      await tree.updatePage(found.pageId, {}, this.#keep(next));
    } else {
      const struck = blocks[at % blocks.length];
      if (struck) this.gone.add(textOf(struck));
      const instead =
        edit === 'rewrite' && struck ? [line(struck.key ?? name, this.#sentence(name, found.pageId))] : [];
      await tree.updatePage(found.pageId, {}, this.#keep(blocks.toSpliced(at % blocks.length, 1, ...instead)));
    }
    return this.#commit(tree);
  }

  #sentence(name: string, pageId: string): string {
    const sentence = `Sentence ${name}.`;
    this.written.set(sentence, pageId);
    return sentence;
  }

  #blocksOf(hash: string | undefined) {
    return this.store.documents.nodes.get(hash ?? '')?.nodes ?? [];
  }

  #keep(blocks: ReturnType<typeof line>[]): string | null {
    return blocks.length === 0 ? null : this.store.keepDocument(documentOf(blocks));
  }

  #commit(tree: Awaited<ReturnType<typeof openTree>>): string {
    const { rootHash, newNodes } = tree.commit(author);
    this.store.nodes.add(newNodes);
    return rootHash;
  }
}

test('over many rounds of editing, updating, resolving and merging no sentence is lost', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async ({ start, rounds, choices }) => {
      const story = new Story();
      const conflicts: Conflict[] = [];
      const choose = (conflict: Conflict): Resolution => {
        conflicts.push(conflict);
        return { choice: choices.next().value ?? 'ours' };
      };
      const first = await story.edited(null, start, 's');
      let [base, ours, main]: ContentVersion[] = [onlyPages(first), onlyPages(first), onlyPages(first)];
      for (const round of rounds) {
        if (!base || !ours || !main) return;
        ours = onlyPages(await story.edited(ours.rootHash, round.ours, 'o'));
        main = onlyPages(await story.edited(main.rootHash, round.main, 'm'));
        ours = (await mergeWith(story.store, { base, ours, theirs: main }, choose)).content;
        base = main;
      }
      if (!base || !ours || !main) return;
      const { content } = await mergeWith(story.store, { base, ours, theirs: main }, choose);
      // After an update, merging makes the content of the change request the primary content.
      expect(content.rootHash).toBe(ours.rootHash);
      const left = await story.sentencesIn(content.rootHash);
      const named = JSON.stringify(conflicts);
      for (const [sentence, pageId] of story.written) {
        if (left.has(sentence) || story.gone.has(sentence)) continue;
        expect(named.includes(sentence) || named.includes(`"${pageId}"`)).toBe(true);
      }
      for (const sentence of left) expect(story.written.has(sentence)).toBe(true);
    }),
    { numRuns: lawRuns(250) },
  );
});
