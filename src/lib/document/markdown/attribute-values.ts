import type { Length } from '../document.ts';

/** A boolean attribute: present or `true`, `false`, or undefined. */
export function flagOf(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value !== 'false';
}

export function numberValue(value: string | undefined): number | undefined {
  if (value === undefined || !/^[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(value.trim())) return undefined;
  return Number(value);
}

/** The value of a JSON text; undefined if it is invalid. */
export function jsonOf(value: string | undefined): unknown {
  if (value === undefined) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

const LENGTH = /^([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)([a-z%]*)$/i;

/** `563`, `50%`, `12.5em`; undefined for anything else. */
export function parseLength(source: string | undefined): Length | undefined {
  const match = LENGTH.exec(source?.trim() ?? '');
  if (!match) return undefined;
  const [, number, unit] = match;
  const value = Number(number);
  return unit ? { unit, value } : value;
}

export function printLength(length: Length): string {
  return typeof length === 'number' ? String(length) : `${length.value}${length.unit}`;
}
