import type { Length } from '../document.ts';

const pattern = /^([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)([a-z%]*)$/i;

/** `563`, `50%`, `12.5em`; undefined for anything else. */
export function parseLength(source: string | undefined): Length | undefined {
  const match = pattern.exec(source?.trim() ?? '');
  if (!match) return undefined;
  const [, number, unit] = match;
  const value = Number(number);
  return unit ? { unit, value } : value;
}

export function printLength(length: Length): string {
  return typeof length === 'number' ? String(length) : `${length.value}${length.unit}`;
}
