import { hash } from 'node:crypto';

export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

/**
 * The canonical JSON of a value (RFC 8785): no whitespace, properties sorted by UTF-16 code units. Properties that are
 * `undefined` are dropped. Throws a TypeError for values that JSON cannot represent.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return canonicalArray(value);
  if (typeof value === 'object' && value !== null) return canonicalObject(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`JSON has no number ${value}.`);
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`JSON has no value of type ${typeof value}.`);
  return text;
}

/** SHA-256 of the canonical JSON of a value, in hex. */
export const hashOf = (value: unknown): string => sha256(canonicalJson(value));

/** SHA-256 of a text in UTF-8, in hex. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');

// Every body that is stored is written in this form, so these functions append to a text and create no lists of parts.

function canonicalArray(values: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < values.length; i++) text += i === 0 ? canonicalJson(values[i]) : `,${canonicalJson(values[i])}`;
  return `${text}]`;
}

function canonicalObject(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`Only plain objects can be written as canonical JSON, not a ${value.constructor.name}.`);
  }
  let text = '';
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name]; // one of its own names
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}
