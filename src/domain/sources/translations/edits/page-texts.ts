import type { JsonObject } from '../../../../lib/canonical.ts';
import { cutText, joinText, type Segment } from '../../../../lib/translation/cut-line.ts';
import { cutTo } from '../../../../platform/shapes/cut-text.ts';

/** The fields of pages and reusable contents that are translated, with their longest text. */
const TEXT_FIELDS = { title: 100, linkTitle: 100, description: 4_000 } as const;

/** Whether a field of a page or reusable content is translated. */
export const isTextField = (name: string): boolean => Object.hasOwn(TEXT_FIELDS, name);

/** The texts among fields, by name. */
export function textFields(fields: object): Record<string, string> {
  const values = fields as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(TEXT_FIELDS).flatMap((name) => {
      const value = values[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/** The name of the line of a field. Names of lines of bodies do not begin with a colon. */
export const lineOfField = (name: string): string => `:${name}`;

/** Cuts the texts of fields into segments. */
export const cutTexts = (texts: Record<string, string>, language: string): [string, Segment[]][] =>
  Object.entries(texts).map(([name, value]) => [name, cutText(value, language)]);

/** A text of a field from translated segments, within the limits of the field. */
export function joinField(name: string, segments: readonly Segment[], texts: readonly (string | undefined)[]): string {
  const most = TEXT_FIELDS[name as keyof typeof TEXT_FIELDS];
  const joined = cutTo(most, joinText(segments, texts).replaceAll(/\s+/g, ' '));
  return joined.trim() === '' ? joinText(segments, []) : joined;
}

/** Fields with other texts. */
export const withTexts = <Fields extends object>(
  fields: Fields,
  texts: Record<string, string> | JsonObject,
): Fields => ({
  ...fields,
  ...texts,
});
