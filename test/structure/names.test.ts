import { expect, test } from 'vitest';
import { z } from 'zod';
import { findOperations } from './operations.ts';

/** Members that name something for people. */
const NAMES = new Set(['title', 'linkTitle', 'displayName', 'name', 'label']);

/** Names of inputs that may be blank, and why. */
const MAY_BE_BLANK: Record<string, string> = {
  'createWebhook.label': 'a webhook is told from others by its address; the label is a note',
  'updateWebhook.label': 'a webhook is told from others by its address; the label is a note',
  'createShareLink.name': 'a link is told from others by its key; the name is a note',
  'updateShareLink.name': 'a link is told from others by its key; the name is a note',
  ...Object.fromEntries(
    ['overrideSiteSpaceCustomization', 'updateSiteCustomization'].flatMap((command) =>
      ['header.items', 'header.items.links', 'footer.groups', 'footer.groups.links', 'announcement.link'].map(
        (part) => [`${command}.appearance.${part}.title`, 'a link without a title shows its address'],
      ),
    ),
  ),
};

/** Names that are written by a command, with the schema of each; queries filter by them. */
function namesIn(schema: z.ZodType, place: string): { place: string; name: z.ZodType }[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return namesIn(schema.unwrap() as z.ZodType, place);
  if (schema instanceof z.ZodPipe) return namesIn(schema.in as z.ZodType, place);
  if (schema instanceof z.ZodArray) return namesIn(schema.element as z.ZodType, place);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([member, inner]) => {
    const below = namesIn(inner as z.ZodType, `${place}.${member}`);
    const isText = z.safeParse(inner as z.ZodType, 'Guide').success;
    return NAMES.has(member) && isText ? [{ place: `${place}.${member}`, name: inner as z.ZodType }] : below;
  });
}

const names = (await findOperations())
  .filter(({ operation }) => operation.kind === 'command')
  .flatMap(({ operation }) => namesIn(operation.input, operation.operationName));

test('finds the names in inputs of commands', () => {
  expect(names.map(({ place }) => place)).toEqual(
    expect.arrayContaining(['createSpace.title', 'updateSpaceContent.changes.insertPage.linkTitle']),
  );
});

test('no command takes a blank name', () => {
  const taking = names.filter(({ name }) => ['', ' ', '\u00a0\u3000 '].some((blank) => name.safeParse(blank).success));
  expect(taking.map(({ place }) => place)).toEqual(Object.keys(MAY_BE_BLANK));
});
