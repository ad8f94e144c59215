import { expect, test } from 'vitest';
import { placeIn, rebase } from '../../web/src/drafts/rebase.ts';

/** Undefined, or the text with the mark `|` where the place of `text` was found. */
function placed(text: string, merged: string): string | undefined {
  const place = placeIn(merged, text.replace('|', ''), text.indexOf('|'));
  return place === undefined ? undefined : `${merged.slice(0, place)}|${merged.slice(place)}`;
}

test('a place is found by what is before it, by its paragraph, or by what is after it', () => {
  expect(placed('One| two', 'One two three')).toBe('One| two three');
  expect(placed('# A\n\nOne|\n', '# B\n\nOne\n\nTwo\n')).toBe('# B\n\nOne|\n\nTwo\n');
  expect(placed('One\n\n|\n\nOne\n\n', 'Zero\n\nOne\n\n\n\nOne\n\n')).toBe('Zero\n\nOne\n\n|\n\nOne\n\n');
  expect(placed('# A\n\nOne| two\n\nThree', '# B\n\nOne, two\n\nThree!')).toBeUndefined();
});

test('words that are typed while a text is sent stay at their place in the merged text', () => {
  expect(rebase('# A\n\nOne\n', '# A\n\nOne more\n', '# B\n\nOne\n\nTwo\n')).toBe('# B\n\nOne more\n\nTwo\n');
  expect(rebase('One two', 'One 2', 'Zero\n\nOne two')).toBe('Zero\n\nOne 2');
  expect(rebase('One', 'One\n\nTwo', 'One\n\nThree')).toBe('One\n\nTwo\n\nThree');
  expect(rebase('One two', 'One 2', 'One deux')).toBeUndefined();
});
