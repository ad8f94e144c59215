/*
 * Two authors work on one space at the same time, contradict each other, settle it and merge; in the end every sentence that
 * either wrote is accounted for. Makes a space of its own on a running server:
 *
 *   node src/demo/two-authors.ts <address of the server> <token> [token of the second author]
 *
 * The first token needs the role `create` in an organization, the second one `review` there.
 */

import { Author } from './author.ts';

/** Where the story takes place, and who listens. */
export interface Stage {
  url: string;
  tokens: { ann: string; bea: string };
  say(line: string): void;
}

/** What became of a sentence that somebody wrote. */
export interface Account {
  sentence: string;
  author: string;
  /** On a page; shown by the conflict to whoever settled it; replaced by Bea, which nobody contradicted; or lost. */
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

/** Tells the story and answers with the account of every sentence. */
export async function tellStory({ url, tokens, say }: Stage): Promise<Account[]> {
  const [ann, bea] = [new Author(url, tokens.ann), new Author(url, tokens.bea)];
  const { spaceId, pageId } = await ann.makeSpace([OPENING, CUPS, TIME]);
  say(`A page says: ${OPENING} ${CUPS} ${TIME}`);
  await ann.begin(spaceId, 'Water that boils');
  await bea.begin(spaceId, 'Fresh water');

  await ann.write(pageId, [ANNS_OPENING, CUPS, TIME, ANNS_END]);
  say(`Ann writes the opening anew and adds an end: ${ANNS_OPENING} … ${ANNS_END}`);
  await bea.write(pageId, [BEAS_OPENING, CUPS, BEAS_TIME], { title: 'Green tea', body: BEAS_PAGE });
  say(
    `Bea, who knows nothing of it, writes the opening anew too, another time and a page: ${BEAS_OPENING} … ${BEAS_TIME}`,
  );

  say(`Ann merges: ${await ann.merge()}.`);
  say(`Bea merges: ${await bea.merge()}. Nothing was written, since both changed the opening:`);
  const conflicts = await bea.conflicts();
  for (const { base, ours, theirs } of conflicts) say(`  base: ${base}\n  Bea:  ${ours}\n  main: ${theirs}`);
  say(`Bea settles it with "${SETTLED}": ${await bea.settle(conflicts, SETTLED)}.`);
  say(`Bea merges: ${await bea.merge()}.`);

  const pages = await ann.read(spaceId);
  const named = conflicts.flatMap(({ base, ours, theirs }) => [base, ours, theirs]);
  const fateOf = (sentence: string): Account['fate'] => {
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
  console.error(
    'Give the address of a running server and a token: node src/demo/two-authors.ts http://localhost:3000 stemma_…',
  );
  process.exitCode = 2;
}
