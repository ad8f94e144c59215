import { z } from 'zod';
import type { ContentRef } from '../../../lib/document/content-ref.ts';
import { withCode } from '../../../lib/validation/issue-code.ts';
import { linkUrl, targetId } from './page-fields.ts';

const spaceId = targetId('ID of the space that contains the target. Default: the space of the content itself.')
  .meta({ prefix: 'space' })
  .nullish();

const pageId = (description: string) => targetId(description).meta({ prefix: 'page' });

const url = linkUrl.nullish().describe('A URL with https, http, mailto or tel, or a path within the site.');

const page = z
  .object({ pageId: pageId('The `pageId` of the page (`page_…`), not the `id` of its node.'), spaceId })
  .meta({ inputName: 'PageReferenceInput', description: 'A reference to a page.' })
  .nullish();

const fileId = targetId('The `fileId` of the file (`file_…`), not the `id` of its node.').meta({ prefix: 'file' });

const hasOneTarget = (reference: object) => Object.values(reference).filter((value) => value != null).length === 1;

const ONE_TARGET = { error: 'must have exactly one target', ...withCode('ONE_OF') };

/** A content reference with a type for each kind of target. `referenceOf` makes the JSON of it. */
export const contentReferenceInput = z
  .object({
    url,
    page,
    anchor: z
      .object({
        anchor: targetId('Name of the anchor.'),
        pageId: pageId('The `pageId` of the page that has the anchor. Default: the page with the reference.').nullish(),
        spaceId,
      })
      .meta({ inputName: 'AnchorReferenceInput', description: 'A reference to a part of a page.' })
      .nullish(),
    file: z
      .object({ fileId, spaceId })
      .meta({ inputName: 'FileReferenceInput', description: 'A reference to a file.' })
      .nullish(),
    reusableContent: z
      .object({
        reusableContentId: targetId(
          'The `reusableContentId` of the reusable content (`reusable_…`), not the `id` of its node.',
        ).meta({ prefix: 'reusable' }),
        spaceId,
      })
      .meta({ inputName: 'ReusableContentReferenceInput', description: 'A reference to a reusable content.' })
      .nullish(),
    spaceId: targetId('ID of a space (`space_…`) that is the target itself.').meta({ prefix: 'space' }).nullish(),
    collectionId: targetId('ID of a collection (`collection_…`) that is the target.')
      .meta({ prefix: 'collection' })
      .nullish(),
    userId: targetId('ID of a user (`user_…`) who is mentioned.').meta({ prefix: 'user' }).nullish(),
    specSlug: targetId('Slug of an OpenAPI specification.').nullish(),
  })
  .refine(hasOneTarget, ONE_TARGET)
  .meta({
    inputName: 'ContentReferenceInput',
    oneOf: true,
    description: 'A reference to a page, file, URL or other target.',
  });

export type ContentReferenceInput = z.output<typeof contentReferenceInput>;

/** What the cover of a page can show. */
export const coverReferenceInput = z
  .object({ url, fileId: fileId.nullish() })
  .refine(hasOneTarget, ONE_TARGET)
  .meta({ inputName: 'CoverReferenceInput', oneOf: true, description: 'A reference to an image: a file or a URL.' });

/** What links in the metadata of a page can lead to. `referenceOf` makes the JSON of it. */
export const metaLinkReferenceInput = z
  .object({ url, page })
  .refine(hasOneTarget, ONE_TARGET)
  .meta({ inputName: 'MetaLinkReferenceInput', oneOf: true, description: 'A reference to a page or a URL.' });

/** The reference in the form in which it is stored: `{ kind, … }`. */
export function referenceOf(input: ContentReferenceInput): ContentRef {
  const { url, page, anchor, file, reusableContent, spaceId: space, collectionId, userId, specSlug } = input;
  if (page) return { kind: 'page', page: page.pageId, ...inSpace(page) };
  if (anchor) {
    const { anchor: name, pageId: of } = anchor;
    return { kind: 'anchor', anchor: name, ...(of != null && { page: of }), ...inSpace(anchor) };
  }
  if (file) return { kind: 'file', file: file.fileId, ...inSpace(file) };
  if (reusableContent)
    return {
      kind: 'reusable-content',
      reusableContent: reusableContent.reusableContentId,
      ...inSpace(reusableContent),
    };
  if (space != null) return { kind: 'space', space };
  if (collectionId != null) return { kind: 'collection', collection: collectionId };
  if (userId != null) return { kind: 'user', user: userId };
  if (specSlug != null) return { kind: 'openapi', spec: specSlug };
  return { kind: 'url', url: url ?? '' };
}

const inSpace = ({ spaceId: space }: { spaceId?: string | null | undefined }) => (space == null ? {} : { space });
