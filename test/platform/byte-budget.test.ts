import { expect, test } from 'vitest';
import { ByteBudget } from '../../src/platform/http/byte-budget.ts';

/** Holds in a budget of 100 bytes for everybody, and 60 for each owner. */
function holds() {
  const budget = new ByteBudget();
  const ended: string[] = [];
  const hold = (owner: string, name: string, { mayEnd = true } = {}) => {
    const shares = [
      { name: 'all', maxBytes: 100 },
      { name: owner, maxBytes: 60 },
    ];
    const made = budget.hold(shares, () => {
      if (mayEnd) made.end();
      if (mayEnd) ended.push(name);
      return mayEnd;
    });
    return made;
  };
  return { budget, hold, ended };
}

test('the owner with the most bytes gives way to one who would have fewer, the oldest hold first', () => {
  const { budget, hold, ended } = holds();
  for (const name of ['first', 'second']) expect(hold('one', name).grow(30)).toBe(true);
  expect(hold('two', 'third').grow(40)).toBe(true);
  expect(hold('three', 'fourth').grow(25)).toBe(true);
  expect(ended).toEqual(['first']);
  expect(['all', 'one', 'two', 'three'].map((name) => budget.heldBy(name))).toEqual([95, 30, 40, 25]);
});

test('nobody gives way to an owner who would have as much, nor to its own holds', () => {
  const { hold, ended } = holds();
  expect([hold('one', 'first').grow(50), hold('two', 'second').grow(50)]).toEqual([true, true]);
  expect([hold('three', 'third').grow(50), hold('one', 'fourth').grow(20)]).toEqual([false, false]);
  expect(ended).toEqual([]);
});

test('holds that may not end stay, and those without a way to end', () => {
  const { budget, hold, ended } = holds();
  expect(hold('one', 'first', { mayEnd: false }).grow(30)).toBe(true);
  expect(hold('one', 'second').grow(30)).toBe(true);
  expect(budget.hold([{ name: 'all', maxBytes: 100 }]).grow(40)).toBe(true);
  expect(hold('two', 'third').grow(20)).toBe(true);
  expect(ended).toEqual(['second']);
  expect(hold('three', 'fourth').grow(20)).toBe(false);
});

test('a hold without bytes goes on', () => {
  const { hold, ended } = holds();
  expect(hold('one', 'first').grow(0)).toBe(true);
  for (const name of ['second', 'third']) expect(hold('one', name).grow(30)).toBe(true);
  expect([hold('two', 'fourth').grow(40), hold('three', 'fifth').grow(20)]).toEqual([true, true]);
  expect(ended).toEqual(['second']);
});

test('several holds give way where one does not suffice', () => {
  const { hold, ended } = holds();
  for (const name of ['first', 'second', 'third']) expect(hold('one', name).grow(20)).toBe(true);
  expect(hold('two', 'fourth').grow(35)).toBe(true);
  expect(hold('three', 'fifth').grow(30)).toBe(true);
  expect(ended).toEqual(['first', 'second']);
});
