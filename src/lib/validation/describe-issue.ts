import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** Maximum number of allowed values that a message lists. */
const MAX_LISTED = 30;

/**
 * The message of an issue that has none of its schema: a sentence about the value, which says what is allowed.
 */
export function describeIssue(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(nameOf(issue.expected), issue.input);
    case 'invalid_value':
      if (issue.input === undefined) return `is required: ${oneOf(issue.values)}.`;
      return `must be ${oneOf(issue.values)}.`;
    case 'too_small':
      return sizeMessage(issue.origin, issue.minimum, {
        isExact: issue.exact,
        isIncluded: issue.inclusive,
        isMinimum: true,
      });
    case 'too_big':
      return sizeMessage(issue.origin, issue.maximum, {
        isExact: issue.exact,
        isIncluded: issue.inclusive,
        isMinimum: false,
      });
    case 'invalid_format':
      return `must be ${formatName(issue)}.`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}.`;
    case 'unrecognized_keys':
      return UNKNOWN_PROPERTY;
    case 'invalid_union':
      return unionMessage(issue);
    case 'invalid_key':
      return `is not a valid name of a property: it ${issue.issues[0]?.message ?? 'is not allowed.'}`;
    default:
      return 'is not valid.';
  }
}

/** Options of every parse of an input: messages in plain words, and issues with the value. */
export const parseOptions = { error: describeIssue, reportInput: true } as const;

export const UNKNOWN_PROPERTY = 'Unknown property. Remove it, or correct its name.';

/** Nouns for the types of values. */
const NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  nan: 'a number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
};

const nameOf = (type: string) => NAMES[type] ?? 'another type';

function typeMessage(expected: string, value: unknown): string {
  if (value === undefined) return `is required: ${expected}.`;
  return `must be ${expected}, not ${givenName(value)}.`;
}

function givenName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  // A number in the place of an integer, or infinity.
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : String(value);
  return nameOf(typeof value);
}

const oneOf = (values: readonly unknown[]) => {
  const listed = values.slice(0, MAX_LISTED).map((value) => JSON.stringify(value));
  const rest = values.length > MAX_LISTED ? ', …' : '';
  return values.length === 1 ? String(listed[0]) : `one of ${listed.join(', ')}${rest}`;
};

interface Bound {
  isExact?: boolean | undefined;
  isIncluded?: boolean | undefined;
  isMinimum: boolean;
}

/** Units of what is counted. Other values are compared themselves. */
const UNITS: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
  file: ['byte', 'bytes'],
};

function sizeMessage(origin: string, bound: number | bigint | Date, { isExact, isIncluded, isMinimum }: Bound): string {
  const value = typeof bound === 'object' ? bound.toISOString() : String(bound);
  const unit = UNITS[origin];
  if (!unit) {
    if (isExact) return `must be ${value}.`;
    if (isIncluded === false) return `must be ${isMinimum ? 'greater' : 'less'} than ${value}.`;
    return `must be at ${isMinimum ? 'least' : 'most'} ${value}.`;
  }
  const counted = `${value} ${unit[value === '1' ? 0 : 1]}`;
  if (isExact) return `must have exactly ${counted}.`;
  if (isMinimum && isIncluded !== false && value === '1') return 'must not be empty.';
  if (isIncluded === false) return `must have ${isMinimum ? 'more' : 'fewer'} than ${counted}.`;
  return `must have at ${isMinimum ? 'least' : 'most'} ${counted}.`;
}

/** Names and examples of the forms of text. */
const FORMATS: Record<string, string> = {
  email: 'an email address, such as ada@example.com',
  url: 'an absolute URL, such as https://example.com/docs',
  uuid: 'a UUID',
  datetime: 'a time, such as 2026-01-31T12:00:00Z',
  date: 'a day, such as 2026-01-31',
  time: 'a time of day, such as 12:00:00',
  duration: 'a duration, such as PT10M',
  base64: 'base64',
  base64url: 'base64url',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  json_string: 'JSON',
};

function formatName(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  const name = FORMATS[issue.format];
  if (name !== undefined) return name;
  if (issue.format === 'starts_with' && 'prefix' in issue)
    return `text that begins with ${JSON.stringify(issue.prefix)}`;
  if (issue.format === 'ends_with' && 'suffix' in issue) return `text that ends with ${JSON.stringify(issue.suffix)}`;
  if (issue.format === 'includes' && 'includes' in issue) return `text that contains ${JSON.stringify(issue.includes)}`;
  return issue.pattern === undefined ? 'text of another form' : `text that matches the pattern ${issue.pattern}`;
}

/** The names of the types that the options of a union have, if the value has none of them. */
function unionMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (issue.input === undefined) return 'is required.';
  if ('options' in issue && Array.isArray(issue.options) && issue.options.length > 0)
    return `must be ${oneOf(issue.options)}.`;
  const expected = new Set<string>();
  for (const [first] of issue.errors) {
    if (!first || first.path.length > 0) continue;
    if (first.code === 'invalid_type') expected.add(nameOf(first.expected));
    else if (first.code === 'invalid_value') expected.add(oneOf(first.values));
  }
  if (expected.size === 0) return 'is not valid.';
  return `must be ${[...expected].join(' or ')}, not ${givenName(issue.input)}.`;
}
