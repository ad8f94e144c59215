import { expect, test } from 'vitest';
import { ByteBudget } from '../../../src/platform/http/limits/byte-budget.ts';

/** Reservations in a budget of 100 bytes in all, and 60 for each owner. */
function reservations() {
  const budget = new ByteBudget();
  const evicted: string[] = [];
  const reserve = (owner: string, name: string, { isEvictable = true } = {}) => {
    const quotas = [
      { name: 'all', maxBytes: 100 },
      { name: owner, maxBytes: 60 },
    ];
    const made = budget.reserve(quotas, () => {
      if (isEvictable) made.end();
      if (isEvictable) evicted.push(name);
      return isEvictable;
    });
    return made;
  };
  return { budget, reserve, evicted };
}

test('the oldest reservation of the owner with the most bytes is evicted for one who would have fewer', () => {
  const { budget, reserve, evicted } = reservations();
  for (const name of ['first', 'second']) expect(reserve('one', name).grow(30)).toBe(true);
  expect(reserve('two', 'third').grow(40)).toBe(true);
  expect(reserve('three', 'fourth').grow(25)).toBe(true);
  expect(evicted).toEqual(['first']);
  expect(['all', 'one', 'two', 'three'].map((name) => budget.reservedIn(name))).toEqual([95, 30, 40, 25]);
});

test('nothing is evicted for an owner who would have as much, nor for the same owner', () => {
  const { reserve, evicted } = reservations();
  expect([reserve('one', 'first').grow(50), reserve('two', 'second').grow(50)]).toEqual([true, true]);
  expect([reserve('three', 'third').grow(50), reserve('one', 'fourth').grow(20)]).toEqual([false, false]);
  expect(evicted).toEqual([]);
});

test('reservations that must not be evicted stay', () => {
  const { budget, reserve, evicted } = reservations();
  expect(reserve('one', 'first', { isEvictable: false }).grow(30)).toBe(true);
  expect(reserve('one', 'second').grow(30)).toBe(true);
  expect(budget.reserve([{ name: 'all', maxBytes: 100 }]).grow(40)).toBe(true);
  expect(reserve('two', 'third').grow(20)).toBe(true);
  expect(evicted).toEqual(['second']);
  expect(reserve('three', 'fourth').grow(20)).toBe(false);
});

test('a reservation without bytes is not evicted', () => {
  const { reserve, evicted } = reservations();
  expect(reserve('one', 'first').grow(0)).toBe(true);
  for (const name of ['second', 'third']) expect(reserve('one', name).grow(30)).toBe(true);
  expect([reserve('two', 'fourth').grow(40), reserve('three', 'fifth').grow(20)]).toEqual([true, true]);
  expect(evicted).toEqual(['second']);
});

test('several reservations are evicted when one does not suffice', () => {
  const { reserve, evicted } = reservations();
  for (const name of ['first', 'second', 'third']) expect(reserve('one', name).grow(20)).toBe(true);
  expect(reserve('two', 'fourth').grow(35)).toBe(true);
  expect(reserve('three', 'fifth').grow(30)).toBe(true);
  expect(evicted).toEqual(['first', 'second']);
});
