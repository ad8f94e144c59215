import { expect, test } from 'vitest';
import { directionOf, directionOfLanguage } from '../../src/lib/text-direction.ts';

test.each([
  'ar',
  'ar-EG',
  'he',
  'iw',
  'fa',
  'ur',
  'yi',
  'dv',
  'ps',
  'ckb',
  'ug',
  'az-Arab',
  'pa-PK',
  'ff-Adlm',
  'nqo',
  'sd',
])('%s is written from right to left', (language) => expect(directionOfLanguage(language)).toBe('rtl'));

test.each([undefined, null, '', 'en', 'de-CH', 'ku', 'az', 'pa', 'ar-Latn', 'zh-Hant', 'not a tag'])(
  '%s is written from left to right',
  (language) => expect(directionOfLanguage(language)).toBe('ltr'),
);

test('the direction of a text depends on its letters, and on what is around it', () => {
  expect(directionOf('12: שלום to you', 'ltr')).toBe('rtl');
  expect(directionOf('You: שלום', 'ltr')).toBe('ltr');
  expect(directionOf('You: שלום', 'rtl')).toBe('rtl');
  expect(directionOf('Only English.', 'rtl')).toBe('ltr');
  expect(directionOf('12.', 'rtl')).toBe('rtl');
  expect(directionOf('12.', 'ltr')).toBe('ltr');
});
