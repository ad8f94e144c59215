import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLuhn } from '../../../src/lib/redact/cards.ts';
import { redact } from '../../../src/lib/redact/redact.ts';
import { expectLinear } from '../../growth.ts';

test.each([
  ['Write to jane.doe+test@mail.example.co.uk, please.', 'Write to [email], please.'],
  ['<jürgen@bücher.example>', '<[email]>'],
  ['@alice and a@b stay', '@alice and a@b stay'],
  ['Card 4111 1111 1111 1111 was declined', 'Card [card] was declined'],
  ['Card 4111-1111-1111-1112 was declined', 'Card 4111-1111-1111-1112 was declined'],
  ['order 12 378282246310005', 'order 12 [card]'],
  ['Call +49 (0)30 1234567 or 00 44 20 7946 0958.', 'Call [phone] or [phone].'],
  ['Call (415) 555-2671, 415-555-2671 or 030 1234567.', 'Call [phone], [phone] or [phone].'],
  [
    'On 01.02.2026 at 10:00, from 192.168.1.100 with v10.0.0.1',
    'On 01.02.2026 at 10:00, from 192.168.1.100 with v10.0.0.1',
  ],
  [
    '2026-11-22 11:58:26, invoice 2026-000123, 1,000,000 rows',
    '2026-11-22 11:58:26, invoice 2026-000123, 1,000,000 rows',
  ],
  ['Authorization: Bearer abc123def456', 'Authorization: Bearer [token]'],
  ['password: hunter2! is wrong', 'password: [token] is wrong'],
  ['the token: expired yesterday', 'the token: expired yesterday'],
  ['API_KEY=sk_live_4eC39HqLyjWDarjtT1zdp7dc', 'API_KEY=[token]'],
  ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', '[token]'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U', '[token]'],
  ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  ['d41d8cd98f00b204e9800998ecf8427e', '[token]'],
  ['DATABASE_MAX_CONNECTIONS_PER_PROCESS_2', 'DATABASE_MAX_CONNECTIONS_PER_PROCESS_2'],
  [
    'https://docs.example.com/getting-started/how-to-connect-a-custom-domain-in-2026',
    'https://docs.example.com/getting-started/how-to-connect-a-custom-domain-in-2026',
  ],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- thanks', '[token] thanks'],
])('%s', (text, expected) => {
  expect(redact(text)).toBe(expected);
});

const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((list) => list.join(''));

/** Card numbers of any length, with their check digit. */
const card = digits(11, 17)
  .map((rest) => `4${rest}`)
  .map((payload) => `${payload}${[...'0123456789'].find((check) => isLuhn(payload + check))}`);

const words = fc.constantFrom('hello', 'my card', 'is', '', 'ü', '日本', '(', ':', '\n', '"');

test('a card number is never kept, however it is grouped', () => {
  fc.assert(
    fc.property(
      card,
      fc.integer({ min: 2, max: 6 }),
      fc.constantFrom('', ' ', '-'),
      words,
      (number, size, sign, word) => {
        const grouped = number.match(new RegExp(`\\d{1,${size}}`, 'g'))?.join(sign) ?? '';
        const redacted = redact(`${word} ${grouped} ${word}`);
        expect(redacted.replace(/\D/g, '')).toBe('');
      },
    ),
    { numRuns: 300 },
  );
});

test('an e-mail address is never kept', () => {
  fc.assert(
    fc.property(fc.emailAddress(), words, (address, word) => {
      expect(redact(`${word} ${address} ${word}`)).not.toContain(address);
    }),
    { numRuns: 300 },
  );
});

test('an international phone number is never kept', () => {
  fc.assert(
    fc.property(digits(7, 12), fc.constantFrom('', ' ', '-', '/'), words, (number, sign, word) => {
      const grouped = `+4${number.slice(0, 2)}${sign}${number.slice(2)}`;
      expect(redact(`${word} ${grouped}, ${word}`)).not.toContain(number.slice(2));
    }),
    { numRuns: 300 },
  );
});

const text = fc.array(
  fc.oneof(
    fc.string(),
    card,
    fc.emailAddress(),
    digits(1, 20),
    words,
    fc.constantFrom('+', '0', '-', '@', '.', 'token=', 'sk_', '[token]', 'bearer '),
  ),
  { maxLength: 12 },
);

test('redacting again changes nothing', () => {
  fc.assert(
    fc.property(text, (parts) => {
      const once = redact(parts.join(''));
      expect(redact(once)).toBe(once);
    }),
    { numRuns: 1_000 },
  );
});

test('text without digits and @ is kept', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z .,!?\n]{0,80}$/), (prose) => {
      expect(redact(prose)).toBe(prose);
    }),
    { numRuns: 300 },
  );
});

test.each([
  'a@',
  '@',
  '1 ',
  '1-',
  '+',
  '(',
  '4111 ',
  'a.',
  'eyJ.',
  'token=',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  'sk_1',
  'bearer ',
  'é@é.',
])('takes linear time on repetitions of %j', (part) => expectLinear(redact, (size) => part.repeat(size), 20_000));
