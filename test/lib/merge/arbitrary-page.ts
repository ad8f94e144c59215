import fc from 'fast-check';

/** Numbers every word of a page, so that each can be found again. */
export function numbered(page: string): string {
  let count = 0;
  return page.replace(/\bword\b/g, () => `word${count++}`);
}

const sentence = (words: number) => Array.from({ length: words }, () => 'word').join(' ');
const wrapped = fc
  .array(fc.integer({ min: 3, max: 9 }), { minLength: 1, maxLength: 5 })
  .map((lines) => lines.map((words) => `${sentence(words)}.`));

const marked = wrapped.map((lines) =>
  lines.map((line, i) => line.replace('word', ['*word*', '`word`', '[word](word.md "word")', '__word__'][i % 4] ?? '')),
);
const items = fc.array(wrapped, { minLength: 1, maxLength: 4 });
const list = items.map((all) =>
  all.flatMap(([first = '', ...rest]) => [`- ${first}`, ...rest.map((each) => `  ${each}`)]),
);
const steps = items.map((all) => all.flatMap((lines, i) => [`${i + 1}. ${lines[0]}`]));
const code = wrapped.map((lines) => ['```js', ...lines, '```']);
const table = fc
  .integer({ min: 1, max: 4 })
  .map((rows) => ['| word | word |', '|---|---|', ...Array.from({ length: rows }, () => '| word word | `word` |')]);
const quote = wrapped.map((lines) => lines.map((each) => `> ${each}`));
const hint = fc.tuple(wrapped, wrapped).map(([a, b]) => ['{% hint style="info" %}', ...a, '', ...b, '{% endhint %}']);
const heading = fc.constantFrom('## word word', '### word').map((each) => [each]);

/** A page of documentation whose words are all different. */
export const anyPage: fc.Arbitrary<string> = fc
  .array(fc.oneof(wrapped, wrapped, marked, heading, list, steps, code, table, quote, hint), {
    minLength: 1,
    maxLength: 8,
  })
  .map((blocks) => numbered(`${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`));

export interface LineEdit {
  kind: 'word' | 'word ' | 'remove' | 'insert' | 'paragraph' | 'join' | 'split';
  at: number;
}

/** Edits near each other, as those of people who work on the same passage. */
export const lineEdits = fc.array(
  fc.record({
    kind: fc.constantFrom<LineEdit['kind']>('word', 'word ', 'remove', 'insert', 'paragraph', 'join', 'split'),
    at: fc.nat(15),
  }),
  { minLength: 1, maxLength: 3 },
);

/** A page with changed lines. New words begin with the name of who wrote them. */
export function withLineEdits(page: string, edits: readonly LineEdit[], who: string): string {
  const lines = page.split('\n');
  for (const [i, { kind, at }] of edits.entries()) {
    const line = lines[at % lines.length] ?? '';
    const place = at % lines.length;
    const isPlain = /^(?:word\d+|[a-z]+\d)/.test(line);
    const blank = lines.indexOf('', place);
    if (kind.startsWith('word')) lines[place] = line.replace(/word\d+/, `${who}${i}`);
    else if (kind === 'remove' && isPlain) lines.splice(place, 1);
    else if (kind === 'insert' && isPlain) lines.splice(place, 0, `${who}${i} and more.`);
    else if (kind === 'split' && isPlain) lines.splice(place, 0, '');
    else if (kind === 'join' && blank >= 0) lines.splice(blank, 1);
    else if (kind === 'paragraph' && blank >= 0) lines.splice(blank, 0, '', `${who}${i} with`, 'two lines.');
  }
  return lines.join('\n');
}
