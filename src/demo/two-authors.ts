/**
 * Two authors edit a space at the same time, resolve their conflict and merge. The result accounts for every sentence
 * that either of them wrote. Creates a space on a running server:
 *
 *   node src/demo/two-authors.ts <URL of the server> <token> [token of the second author]
 *
 * The first token needs the role `create` in an organization, the second one `review`.
 */

import { Author } from './author.ts';

/** The server, the tokens of the authors, and a function that prints the story. */
export interface Stage {
  url: string;
  tokens: { ann: string; bea: string };
  say(line: string): void;
}

/** The fate of a sentence. */
export interface SentenceFate {
  sentence: string;
  author: string;
  /** On a page; shown in the conflict; replaced by Bea without a conflict; or lost. */
  fate: 'kept' | 'named in the conflict' | 'replaced by Bea' | 'lost';
}

const OPENING = 'Tea is made with hot water.';
const CUPS = 'Take one spoon for each cup.';
const TIME = 'Wait for three minutes.';
const ANNS_OPENING = 'Tea is made with water that has just boiled.';
const ANNS_END = 'Warm the pot first.';
const BEAS_OPENING = 'Tea is made with fresh, hot water.';
const BEAS_TIME = 'Wait for four minutes.';
const BEAS_PAGE = 'Green tea wants water of eighty degrees.';
const SETTLED = 'Tea is made with fresh water that has just boiled.';

/** Runs the story and returns the fate of every sentence. */
export async function tellStory({ url, tokens, say }: Stage): Promise<SentenceFate[]> {
  const [ann, bea] = [new Author(url, tokens.ann), new Author(url, tokens.bea)];
  const { spaceId, pageId } = await ann.makeSpace([OPENING, CUPS, TIME]);
  say(`A page says: ${OPENING} ${CUPS} ${TIME}`);
  await ann.begin(spaceId, 'Water that boils');
  await bea.begin(spaceId, 'Fresh water');

  await ann.write(pageId, [ANNS_OPENING, CUPS, TIME, ANNS_END]);
  say(`Ann rewrites the opening and adds a last sentence: ${ANNS_OPENING} … ${ANNS_END}`);
  await bea.write(pageId, [BEAS_OPENING, CUPS, BEAS_TIME], { title: 'Green tea', body: BEAS_PAGE });
  say(
    `Bea, unaware of this, also rewrites the opening, changes the time and adds a page: ${BEAS_OPENING} … ${BEAS_TIME}`,
  );

  say(`Ann merges: ${await ann.merge()}.`);
  say(`Bea merges: ${await bea.merge()}. Nothing was written, since both changed the opening:`);
  const conflicts = await bea.conflicts();
  for (const { base, ours, theirs } of conflicts) say(`  base: ${base}\n  Bea:  ${ours}\n  main: ${theirs}`);
  say(`Bea resolves the conflict with "${SETTLED}": ${await bea.settle(conflicts, SETTLED)}.`);
  say(`Bea merges: ${await bea.merge()}.`);

  const pages = await ann.read(spaceId);
  const named = conflicts.flatMap(({ base, ours, theirs }) => [base, ours, theirs]);
  const fateOf = (sentence: string): SentenceFate['fate'] => {
    if (pages.some((text) => text.includes(sentence))) return 'kept';
    if (named.includes(sentence)) return 'named in the conflict';
    return sentence === TIME ? 'replaced by Bea' : 'lost';
  };
  const accountsOf = (author: string, sentences: string[]) =>
    sentences.map((sentence) => ({ sentence, author, fate: fateOf(sentence) }));
  return [
    ...accountsOf('before', [OPENING, CUPS, TIME]),
    ...accountsOf('Ann', [ANNS_OPENING, ANNS_END]),
    ...accountsOf('Bea', [BEAS_OPENING, BEAS_TIME, BEAS_PAGE, SETTLED]),
  ];
}

const [url, ann, bea = ann] = process.argv.slice(2);
if (import.meta.main && url !== undefined && ann !== undefined && bea !== undefined) {
  const accounts = await tellStory({ url, tokens: { ann, bea }, say: console.log });
  console.table(accounts);
  if (accounts.some(({ fate }) => fate === 'lost')) process.exitCode = 1;
} else if (import.meta.main) {
  console.error('Usage with a running server: node src/demo/two-authors.ts http://localhost:3000 stemma_…');
  process.exitCode = 2;
}
