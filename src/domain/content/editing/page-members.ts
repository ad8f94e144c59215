import { z } from 'zod';
import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { conditionFault } from '../../../lib/expression/condition.ts';
import type { Position } from '../../../lib/tree/position.ts';
import { emoji, lineOf, nameOf, textOf } from '../../../platform/text.ts';
import { computedSource, linkTarget, pageCover, pageLayout, pageMetaLinks, pageVariables } from '../pages/index.ts';
import type { Refs } from './refs.ts';

/** Names a page: its id, or the `ref` of a page inserted earlier in the same call. */
export const pageRef = z.string().max(200).meta({ prefix: 'page' });

/** What the caller calls something new. */
export const newRef = (what: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .nullish()
    .describe(`A name of your choice, by which later changes of the same call, and its bodies, may mean this ${what}.`);

export const position = z
  .object({
    beforeId: pageRef.nullish().describe('The sibling that it shall stand before.'),
    afterId: pageRef.nullish().describe('The sibling that it shall stand after.'),
    at: z.int().min(0).nullish().describe('The place among the siblings, from 0; beyond the last means last.'),
  })
  .refine((given) => Object.values(given).filter((value) => value != null).length <= 1, {
    error: 'must name one place: before a sibling, after one, or by number.',
  })
  .meta({
    inputName: 'PagePositionInput',
    description: 'A place among siblings: one of its members, or none for last.',
  });

/** What references in fields are, as checked by the input. */
interface WithReferences {
  target?: ContentRef | null;
  cover?: z.output<typeof pageCover> | null;
  metaLinks?: z.output<typeof pageMetaLinks> | null;
}

/** The fields of a page with ids where its references have names of this call. */
export function withRefs<Fields extends { [name in keyof WithReferences]?: unknown }>(
  fields: Fields,
  refs: Refs,
): Fields {
  const { target, cover, metaLinks } = fields as WithReferences;
  return {
    ...fields,
    ...(target && { target: refs.inReference(target) }),
    ...(cover && {
      cover: {
        ...cover,
        ...(cover.ref && { ref: refs.inReference(cover.ref) }),
        ...(cover.refDark && { refDark: refs.inReference(cover.refDark) }),
      },
    }),
    ...(metaLinks && {
      metaLinks: {
        ...(metaLinks.canonical && { canonical: refs.inReference(metaLinks.canonical) }),
        ...(metaLinks.alternates && { alternates: metaLinks.alternates.map((ref) => refs.inReference(ref)) }),
      },
    }),
  };
}

/** A place as the tree takes it. */
export function positionOf(given: z.output<typeof position> | null | undefined, refs: Refs): { position?: Position } {
  if (given?.beforeId != null) return { position: { beforeId: refs.idOf(given.beforeId) } };
  if (given?.afterId != null) return { position: { afterId: refs.idOf(given.afterId) } };
  if (given?.at != null) return { position: { at: given.at } };
  return {};
}

export const pageTitle = nameOf(255).describe('Its title, 1 to 255 characters, not only white space.');

const pageCondition = lineOf(1, 1024)
  .superRefine((source, { addIssue }) => {
    const fault = conditionFault(source);
    if (fault !== undefined) addIssue({ code: 'custom', message: `is no expression: ${fault}` });
  })
  .describe('Expression that decides which visitors of a site see the page, such as `visitor.claims.beta == true`.');

/** The fields of a page that an edit may set. Absent leaves as it is; null removes. */
export const pageFields = {
  slug: lineOf(0, 100).nullish().describe('Its part of the path, up to 100 characters. Null makes one from the title.'),
  description: textOf(0, 4000).nullish().describe('What the page is about, in a sentence or two.'),
  emoji: emoji(0).nullish().describe('An emoji, or its code point in hex.'),
  icon: lineOf(0, 50).nullish().describe('Name of an icon, up to 50 characters.'),
  linkTitle: nameOf(100).nullish().describe('Shorter title for the tree, 1 to 100 characters, not only white space.'),
  condition: pageCondition.nullish(),
  hidden: z.boolean().nullish().describe('Left out of the tree of a published site, still reachable.'),
  noIndex: z.boolean().nullish().describe("Left out of the site's own search."),
  noRobotsIndex: z.boolean().nullish().describe('Search engines are asked not to index it.'),
  layout: pageLayout
    .meta({
      inputName: 'PageLayoutInput',
      description: 'Which parts of the page are shown; what is absent has its default.',
    })
    .nullish(),
  cover: pageCover
    .meta({ inputName: 'PageCoverInput', description: 'The cover image, for light and for dark ground.' })
    .nullish(),
  variables: pageVariables
    .meta({
      scalar: 'JSONObject',
      description: 'Values that expressions on the page may use: strings up to 256 characters, numbers, booleans.',
    })
    .nullish(),
  metaLinks: pageMetaLinks
    .meta({
      inputName: 'PageMetaLinksInput',
      description: 'What search engines are told: references to pages or addresses.',
    })
    .nullish(),
  computed: computedSource
    .meta({
      scalar: 'JSONObject',
      description:
        'Where the pages that stand in the place of a computed page come from: `{ type, props, dependencies }`, of type `builtin:openapi`, `builtin:translation` or `integration:<name>:<source>`.',
    })
    .nullish(),
  target: linkTarget
    .meta({
      scalar: 'JSONObject',
      description: 'Where a link page leads: a content reference such as `{ kind: "url", url }`.',
    })
    .nullish(),
};
