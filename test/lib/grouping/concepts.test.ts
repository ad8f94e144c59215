import { expect, test } from 'vitest';
import { conceptsOf } from '../../../src/lib/grouping/concepts.ts';
import vocabulary from '../../../src/lib/grouping/vocabulary.json' with { type: 'json' };
import { searchTokens } from '../../../src/lib/search/tokens.ts';
import { expectLinear } from '../../growth.ts';

const found = (text: string) => conceptsOf(searchTokens(text));

const entries = Object.entries(vocabulary).flatMap(([concept, lists]) =>
  lists.flatMap((list) => list.split(', ').map((written) => ({ concept, written }))),
);

test('each entry of the vocabulary stands for one concept, and is found', () => {
  for (const { concept, written } of entries) {
    expect([written, found(written.replace('*', ''))]).toEqual([written, [concept]]);
    if (written.endsWith('*')) expect([written, found(written.replace('*', 'xyz'))]).toEqual([written, [concept]]);
  }
});

test.each([
  ['I can’t log in since yesterday', ['sign-in']],
  ['Signing in fails with 2FA', ['sign-in', 'second-factor']],
  ['Die Rechnungen per E-Mail', ['invoice', 'email']],
  ['請求書をメールで', ['invoice', 'email']],
  ['Réinitialiser le MOT DE PASSE', ['reset', 'password']],
  ['Reinitialiser le mot de passe', ['reset', 'password']],
  ['catalog in color', ['branding']],
  ['', []],
])('%j mentions %j', (text, concepts) => {
  expect(found(text)).toEqual(concepts);
});

test.each(['log ', 'login', 'api key ', '請求', '請 ', 'é'])(
  'concepts are found in linear time in repetitions of %j',
  (part) =>
    expectLinear(
      (text: string) => found(text),
      (size) => part.repeat(size),
      20_000,
    ),
);
