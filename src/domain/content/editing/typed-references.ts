import { z } from 'zod';
import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { withCode } from '../../../lib/validation/issue-code.ts';
import {
  type ContentReferenceInput,
  contentReferenceInput,
  coverReferenceInput,
  linkTarget,
  metaLinkReferenceInput,
  pageCover,
  pageMetaLinks,
  referenceOf,
} from '../pages/index.ts';

// References in the fields of a page. REST has them in JSON, and describes the properties of each kind. The graph has
// no type for such JSON, and therefore a typed member beside each.

const COVER = { inputName: 'PageCoverInput', description: 'Cover image of the page, for light and dark mode.' };

const META_LINKS = {
  inputName: 'PageMetaLinksInput',
  description: 'Canonical and alternate URLs of the page for search engines, as references to pages or URLs.',
};

/** The fields with references as REST has them. */
export const referencesInRest = {
  cover: pageCover.meta(COVER).nullish(),
  metaLinks: pageMetaLinks.meta(META_LINKS).nullish(),
  target: linkTarget
    .meta({
      scalar: 'JSONObject',
      description: 'Target of a link page: a content reference such as `{ kind: "url", url }`.',
    })
    .nullish(),
};

/** Replaces a member in JSON. */
const replacedBy = (name: string) => ({ deprecationReason: `Use \`${name}\`, which has a type.` });

/** Rejects objects that have a typed member and the member in JSON that it replaces. */
const notBoth = <Json extends string, Typed extends string>(json: Json, typed: Typed) => {
  const isOne = (value: { [name in Json | Typed]?: unknown }) => value[json] == null || value[typed] == null;
  const fault = { error: `cannot be set together with \`${json}\`.`, path: [typed], ...withCode('ONE_OF') };
  return [isOne, fault] as const;
};

const { ref, refDark } = pageCover.shape;

const cover = pageCover
  .extend({
    ref: ref.meta(replacedBy('reference')),
    refDark: refDark.meta(replacedBy('referenceDark')),
    reference: coverReferenceInput.nullish().describe('Image of the cover.'),
    referenceDark: coverReferenceInput.nullish().describe('Image for dark mode. Default: the same image.'),
  })
  .refine(...notBoth('ref', 'reference'))
  .refine(...notBoth('refDark', 'referenceDark'))
  .meta(COVER)
  .transform(
    ({ reference, referenceDark, ...fields }): z.output<typeof pageCover> => ({
      ...fields,
      ...(reference && { ref: imageOf(reference) }),
      ...(referenceDark && { refDark: imageOf(referenceDark) }),
    }),
  );

type Image = NonNullable<z.output<typeof pageCover>['ref']>;

const imageOf = ({ fileId, url }: z.output<typeof coverReferenceInput>): Image =>
  fileId == null ? { kind: 'url', url: url ?? '' } : { kind: 'file', file: fileId };

const { canonical, alternates } = pageMetaLinks.shape;

type MetaLink = NonNullable<z.output<typeof canonical>>;

/** The reference leads to a page or a URL. */
const metaLinkOf = (reference: z.output<typeof metaLinkReferenceInput>) => referenceOf(reference) as MetaLink;

const metaLinks = pageMetaLinks
  .extend({
    canonical: canonical.meta(replacedBy('canonicalReference')),
    alternates: alternates.meta(replacedBy('alternateReferences')),
    canonicalReference: metaLinkReferenceInput.nullish().describe('The canonical page that this page duplicates.'),
    alternateReferences: z
      .array(metaLinkReferenceInput)
      .max(100)
      .nullish()
      .describe('References to the same content in other languages or versions, up to 100.'),
  })
  .refine(...notBoth('canonical', 'canonicalReference'))
  .refine(...notBoth('alternates', 'alternateReferences'))
  .meta(META_LINKS)
  .transform(
    ({ canonicalReference, alternateReferences, ...fields }): z.output<typeof pageMetaLinks> => ({
      ...fields,
      ...(canonicalReference && { canonical: metaLinkOf(canonicalReference) }),
      ...(alternateReferences && { alternates: alternateReferences.map(metaLinkOf) }),
    }),
  );

/** The fields with references as the operation takes them: typed, or in JSON. */
export const references = {
  cover: cover.nullish(),
  metaLinks: metaLinks.nullish(),
  target: referencesInRest.target.unwrap().unwrap().meta(replacedBy('targetReference')).nullish(),
  targetReference: contentReferenceInput.nullish().describe('Target of a link page.'),
};

/** Rejects changes with two targets. */
export const ONE_TARGET = notBoth('target', 'targetReference');

/** The target of a change, typed or in JSON. Undefined if it has none, and null if it removes the target. */
export const changeTarget = ({
  target,
  targetReference,
}: {
  target?: ContentRef | null | undefined;
  targetReference?: ContentReferenceInput | null | undefined;
}): ContentRef | null | undefined => {
  if (targetReference) return referenceOf(targetReference);
  return target === undefined ? targetReference : target;
};

/** Typed members within the fields, by the field. */
const TYPED: ReadonlyMap<string, readonly string[]> = new Map([
  ['cover', ['reference', 'referenceDark']],
  ['metaLinks', ['canonicalReference', 'alternateReferences']],
]);

/** A change without the typed members, which REST does not have. */
export function withoutTyped({ targetReference: _, ...change }: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(change).map(([name, value]) => {
    const typed = TYPED.get(name);
    if (!typed || typeof value !== 'object' || value === null || Array.isArray(value)) return [name, value];
    return [name, Object.fromEntries(Object.entries(value).filter(([member]) => !typed.includes(member)))];
  });
  return Object.fromEntries(entries);
}
