import { z } from 'zod';
import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { withoutTitleLine } from '../../../lib/document/markdown/title-line.ts';
import { conditionFault } from '../../../lib/expression/condition.ts';
import type { PagePosition } from '../../../lib/tree/position.ts';
import { withCode } from '../../../lib/validation/issue-code.ts';
import { emoji, lineText, multilineText, nameText } from '../../../platform/shapes/text.ts';
import type { DocumentInput } from '../../store/bodies/index.ts';
import {
  type ContentReferenceInput,
  computedSource,
  type pageCover,
  pageLayout,
  type pageMetaLinks,
  pageVariables,
} from '../pages/index.ts';
import type { Refs } from './edit-state/refs.ts';
import { changeTarget, references } from './typed-references.ts';

/** Id of a page, or the `ref` of a page that is inserted earlier in the same call. */
export const pageRef = z.string().max(200).meta({ prefix: 'page' });

/** The caller's name for a new object. */
export const newRef = (what: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .nullish()
    .describe(
      `A name of your choice. Later changes and all bodies in the same request can use it as the ID of the ${what}.`,
    );

export const position = z
  .object({
    beforeId: pageRef.nullish().describe('ID of the sibling to place the page before.'),
    afterId: pageRef.nullish().describe('ID of the sibling to place the page after.'),
    at: z
      .int()
      .min(0)
      .nullish()
      .describe(
        'Position among the siblings, starting at 0. Numbers beyond the last position are treated as the last position.',
      ),
  })
  .refine((place) => Object.values(place).filter((value) => value != null).length <= 1, {
    error: 'must have at most one of beforeId, afterId and at.',
    ...withCode('ONE_OF'),
  })
  .meta({
    inputName: 'PagePositionInput',
    description: 'Position among siblings. At most one field can be set. Default: the last position.',
  });

/** The fields with references, in the types of the input. */
interface WithReferences {
  target?: ContentRef | null;
  targetReference?: ContentReferenceInput | null;
  cover?: z.output<typeof pageCover> | null;
  metaLinks?: z.output<typeof pageMetaLinks> | null;
}

/** The references of a page's fields as they are stored, with ids instead of refs of the call. */
export function withRefs<Fields extends { [name in keyof WithReferences]?: unknown }>(
  { targetReference, ...fields }: Fields,
  refs: Refs,
): Omit<Fields, 'targetReference'> {
  const { cover, metaLinks } = fields as WithReferences;
  const target = changeTarget({ ...fields, targetReference } as WithReferences);
  return {
    ...fields,
    ...(target !== undefined && { target: target && refs.inReference(target) }),
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

/** A position in the form that the tree takes. */
export function positionOf(
  place: z.output<typeof position> | null | undefined,
  refs: Refs,
): { position?: PagePosition } {
  if (place?.beforeId != null) return { position: { beforeId: refs.idOf(place.beforeId) } };
  if (place?.afterId != null) return { position: { afterId: refs.idOf(place.afterId) } };
  if (place?.at != null) return { position: { at: place.at } };
  return {};
}

export const pageTitle = nameText(255).describe('Title of the page, 1 to 255 characters, not only whitespace.');

/** Markdown that REST returns begins with the title, so that it can be written back. */
export const omitTitle = z
  .boolean()
  .optional()
  .describe(
    'Whether a first line `# <title>` of the Markdown is left out of the body if it equals the title of the page. Default: true in REST, where the Markdown of a page begins with its title; false in GraphQL.',
  );

const pageCondition = lineText(1, 1024)
  .superRefine((source, { addIssue }) => {
    const fault = conditionFault(source);
    if (fault !== undefined) addIssue({ code: 'custom', message: `is not a valid expression: ${fault}` });
  })
  .describe(
    'Expression that decides which visitors of a site can see the page, such as `visitor.claims.beta == true`.',
  );

/** The fields of a page that an edit can set. Absent fields keep their value; null removes it. */
export const pageFields = {
  slug: lineText(0, 100)
    .nullish()
    .describe('Slug: the last segment of the path, up to 100 characters. Null derives it from the title.'),
  description: multilineText(0, 4000).nullish().describe('Description of the page, up to 4,000 characters.'),
  emoji: emoji(0).nullish().describe('Emoji of the page, as a character or as a hexadecimal code point.'),
  icon: lineText(0, 50).nullish().describe('Name of the icon of the page, up to 50 characters.'),
  linkTitle: nameText(100)
    .nullish()
    .describe('Shorter title for the page tree, 1 to 100 characters, not only whitespace.'),
  condition: pageCondition.nullish(),
  hidden: z
    .boolean()
    .nullish()
    .describe('Whether to hide the page in the tree of a published site. It stays reachable by its URL.'),
  noIndex: z.boolean().nullish().describe('Whether to exclude the page from the search of the site.'),
  noRobotsIndex: z.boolean().nullish().describe('Whether to ask search engines not to index the page.'),
  layout: pageLayout
    .meta({
      inputName: 'PageLayoutInput',
      description: 'Layout of the page: which parts are shown, and how. Omitted fields have their defaults.',
    })
    .nullish(),
  variables: pageVariables
    .meta({
      scalar: 'JSONObject',
      description:
        'Variables for expressions on the page, by name: up to 200 strings of up to 256 characters, numbers or booleans.',
    })
    .nullish(),
  computed: computedSource
    .meta({
      scalar: 'JSONObject',
      description:
        'Source of a computed page. The pages of the source replace it: `{ type, props, dependencies }`, of type `builtin:openapi`, `builtin:translation` or `integration:<name>:<source>`.',
    })
    .nullish(),
  ...references,
};

type BodyInput = DocumentInput | null | undefined;

/** Whether Markdown can begin with the title of its page. */
export const mayHaveTitle = (body: BodyInput): boolean => body?.markdown?.startsWith('# ') === true;

/** A body without a first line of its Markdown that is one of these titles. */
export const bodyWithoutTitle = (body: BodyInput, titles: readonly string[]): BodyInput =>
  body?.markdown != null && mayHaveTitle(body) ? { ...body, markdown: withoutTitleLine(body.markdown, titles) } : body;
