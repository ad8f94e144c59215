import { expect, test } from 'vitest';
import { tellStory } from '../../src/demo/two-authors.ts';
import { world } from '../world.ts';

const { url, creator, reviewer } = await world();

test('two authors resolve a contradiction without losing a sentence', async () => {
  const said: string[] = [];
  const tokens = { ann: creator.token ?? '', bea: reviewer.token ?? '' };
  const accounts = await tellStory({ url, tokens, say: (line) => said.push(line) });
  const fates = accounts.map(({ sentence, author, fate }) => `${author}: ${sentence} ${fate}`);
  expect(fates).toEqual([
    'before: Tea is made with hot water. named in the conflict',
    'before: Take one spoon for each cup. kept',
    'before: Wait for three minutes. replaced by Bea',
    'Ann: Tea is made with water that has just boiled. named in the conflict',
    'Ann: Warm the pot first. kept',
    'Bea: Tea is made with fresh, hot water. named in the conflict',
    'Bea: Wait for four minutes. kept',
    'Bea: Green tea wants water of eighty degrees. kept',
    'Bea: Tea is made with fresh water that has just boiled. kept',
  ]);
  expect(said.filter((line) => /^(Ann|Bea) merges|resolves/.test(line))).toEqual([
    'Ann merges: MERGE.',
    'Bea merges: CONFLICTS. Nothing was written, since both changed the opening:',
    'Bea resolves the conflict with "Tea is made with fresh water that has just boiled.": UPDATE.',
    'Bea merges: MERGE.',
  ]);
});
