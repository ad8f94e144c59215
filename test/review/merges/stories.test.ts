import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../how-thorough.ts';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { arrangeIn } from '../reviews/arrange.ts';

const site = await world();
const { editor, reviewer, reader } = site;
const arrange = arrangeIn(site);

/** Fixed seeds. For more stories with random seeds: `STORIES=200 npx vitest run test/review/merges/stories.test.ts`. */
const RUNS = Number(process.env.STORIES ?? lawRuns(3));
const SIDES = ['ours', 'theirs', 'base'] as const;

/** One step of a story. Numbers choose among the objects that exist at that step. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      who: fc.nat(2),
      page: fc.nat(1),
      place: fc.nat(2),
      how: fc.constantFrom('before', 'behind', 'behind', 'block', 'page'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pull' as const), who: fc.nat(1), choice: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('merge' as const), who: fc.nat(1), choice: fc.nat(3) }) },
);

type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;
type Edit = Step & { do: 'edit' };

/** A space that two change requests and direct edits change in turn, with all sentences that were written. */
class Story {
  readonly written: string[] = [];
  /** Sentences of sides that a resolution decided against. */
  readonly named = new Set<string>();
  settled = 0;
  readonly #spaceId: string;
  readonly #changeRequests: string[];

  constructor(spaceId: string, changeRequests: string[]) {
    this.#spaceId = spaceId;
    this.#changeRequests = changeRequests;
  }

  static async begin(): Promise<Story> {
    const { spaceId } = await arrange.space(
      'Start of one.\n\nEnd of one.',
      'Start of two.\n\nMiddle of two.\n\nEnd of two.',
    );
    return new Story(spaceId, [
      await arrange.changeRequest(editor, spaceId),
      await arrange.changeRequest(editor, spaceId),
    ]);
  }

  async take(next: Step): Promise<void> {
    if (next.do === 'edit') return this.#edit(next);
    const path = this.#path(next.who);
    const { body } = await reviewer.post(`${path}/${next.do === 'pull' ? 'update' : 'merge'}`);
    if (body.result === 'conflicts') return this.#settle(path, next.choice);
    if (body.result === 'merge') this.#changeRequests[next.who] = await arrange.changeRequest(editor, this.#spaceId);
    expect(['update', 'merge']).toContain(body.result);
  }

  /** Resolves and merges all open change requests. */
  async end(): Promise<string> {
    for (const who of [0, 1]) {
      await this.take({ do: 'merge', who, choice: 3 });
      await this.take({ do: 'merge', who, choice: 3 });
    }
    return (await this.#bodies(this.#head)).map(({ markdown }) => markdown).join('\n');
  }

  get #head() {
    return `/v1/spaces/${this.#spaceId}`;
  }

  #path = (who: number) => `${this.#head}/change-requests/${this.#changeRequests[who]}`;

  async #bodies(at: string): Promise<{ id: string; markdown: string }[]> {
    const { pages } = (await reader.get(`${at}/content/pages`)).body;
    return Promise.all(
      pages.map(async ({ id }: { id: string }) => {
        const { body } = await reader.get(`${at}/content/page/${id}?format=markdown`);
        return { id, markdown: withoutTitle(body.markdown ?? '') };
      }),
    );
  }

  /** Writes a new sentence into a block, as a block, or as a page. Removes nothing. */
  async #edit({ who, page, place, how }: Edit): Promise<void> {
    const at = who === 2 ? this.#head : this.#path(who);
    const bodies = await this.#bodies(at);
    const sentence = `Sentence ${this.written.length} of many.`;
    this.written.push(sentence);
    const chosen = bodies[page % bodies.length];
    const blocks = chosen?.markdown.trim().split('\n\n') ?? [];
    const index = place % Math.max(1, blocks.length);
    if (how === 'block') blocks.splice(index, 0, sentence);
    else blocks[index] = how === 'before' ? `${sentence} ${blocks[index] ?? ''}` : `${blocks[index] ?? ''} ${sentence}`;
    const changes =
      how === 'page'
        ? [{ operation: 'insert_page', title: `Page ${this.written.length}`, document: { markdown: sentence } }]
        : [{ operation: 'update_page', page: chosen?.id, document: { markdown: blocks.join('\n\n') } }];
    const { status, body } = await editor.post(`${at}/content`, { changes });
    expect([status, body.error]).toEqual([200, undefined]);
  }

  /** Resolves all conflicts the same way: by one side, or by both sides one after the other. */
  async #settle(path: string, choice: number): Promise<void> {
    const { items } = (await reader.get(`${path}/conflicts?limit=1000`)).body;
    const resolutions = items.map((found: Record<string, { markdown?: string } | null> & { id: string }) => {
      const sides = SIDES.map((side) => found[side]?.markdown?.trim() ?? '');
      for (const sentence of this.written) if (sides.some((side) => side.includes(sentence))) this.named.add(sentence);
      const side = SIDES[choice];
      return { conflictId: found.id, ...(side ? { choice: side } : { markdown: `${sides[0]} ${sides[1]}` }) };
    });
    const { body } = await editor.post(`${path}/conflicts/resolve`, { resolutions });
    expect(body.result).toBe('update');
    expect((await reader.get(`${path}/conflicts`)).body.items).toEqual([]);
    this.settled += resolutions.length;
  }
}

test('everything written is in the result or was part of a conflict', {
  timeout: 60_000 + RUNS * 10_000,
}, async () => {
  let [sentences, settled, lost] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30, size: 'max' }), async (steps) => {
      const story = await Story.begin();
      for (const next of steps) await story.take(next);
      const text = await story.end();
      const missing = story.written.filter((sentence) => !text.includes(sentence));
      expect(missing.filter((sentence) => !story.named.has(sentence))).toEqual([]);
      sentences += story.written.length;
      settled += story.settled;
      lost += missing.length;
    }),
    { numRuns: RUNS, endOnFailure: true, ...(process.env.STORIES ? {} : { seed: 7 }) },
  );
  if (process.env.STORIES)
    console.log(`${RUNS} stories: ${sentences} sentences, ${settled} conflicts settled, ${lost} given up.`);
  // Proves that the stories had conflicts, and that some resolutions decided against a side.
  expect({ sentences, settled, lost }).toEqual({
    sentences: expect.toSatisfy((count: number) => count > RUNS * 4),
    settled: expect.toSatisfy((count: number) => count > RUNS / 4),
    lost: expect.toSatisfy((count: number) => count > 0),
  });
});
