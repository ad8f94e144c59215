import { dayOrTime } from '../../validation/time.ts';
import type { RefOf } from '../content-ref.ts';

/** The time of a date in Markdown, such as `2026-04-09`. Undefined for other text. */
export function readDate(text: string | undefined): string | undefined {
  return dayOrTime.safeParse(text).data;
}

const MIDNIGHT = 'T00:00:00.000Z';

/** A time as a date if it is midnight in UTC. */
export const printDate = (date: string): string => (date.endsWith(MIDNIGHT) ? date.slice(0, -MIDNIGHT.length) : date);

/** Slugs of tags, separated by commas: `api,ai`. Those of another space follow its id: `space_…/api`. */
export const readTagSlugs = (text: string): RefOf<'tag'>[] =>
  text.split(',').flatMap((part): RefOf<'tag'>[] => {
    const [tag, space] = part.trim().split('/').reverse().map(decoded);
    return tag ? [{ kind: 'tag', tag, ...(space && { space }) }] : [];
  });

export const printTagSlugs = (tags: readonly RefOf<'tag'>[]): string =>
  tags.map(({ tag, space }) => [...(space === undefined ? [] : [space]), tag].map(encoded).join('/')).join(',');

const encoded = (text: string): string => text.replaceAll(/[%,/\s]/g, encodeURIComponent);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
