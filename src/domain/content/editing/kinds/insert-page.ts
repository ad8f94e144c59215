import { z } from 'zod';
import { namedEnum } from '../../../../platform/shapes/named-enum.ts';
import { documentInput } from '../../../store/bodies/index.ts';
import type { ValidatedBody } from '../../../store/prepared-bodies/index.ts';
import { changeKind } from '../edit-state/change-kind.ts';
import { requestedSlug } from '../edit-state/new-pages.ts';
import {
  bodyWithoutTitle,
  newRef,
  omitTitle,
  pageFields,
  pageRef,
  pageTitle,
  position,
  positionOf,
  withRefs,
} from '../page-members.ts';
import { ONE_TARGET } from '../typed-references.ts';

const newPageKind = namedEnum('NewPageKind', 'Kinds of pages that can be inserted.', {
  document: 'A page with a body.',
  group: 'A heading at the top level of the page tree that groups pages. It has no body.',
  link: 'A link in the page tree.',
  computed: 'A placeholder for pages that are computed from another source.',
});

const input = z
  .object({
    kind: newPageKind.default('document').describe('Kind of the page.'),
    title: pageTitle.default('Untitled'),
    ...pageFields,
    parentId: pageRef.nullish().describe('ID of the parent page. Default: the top level.'),
    position: position.nullish(),
    ref: newRef('page'),
    document: documentInput.nullish(),
    omitTitle,
  })
  .refine(...ONE_TARGET)
  .meta({ inputName: 'InsertPageInput', description: 'Inserts a page.' });

interface Ready {
  pageId: string;
  body: ValidatedBody | undefined;
}

export const insertPage = changeKind<typeof input, Ready>({
  input,
  declare(preparation, { ref, parentId = null, ...named }, path) {
    preparation.declarePage({ parentId, slug: requestedSlug(named), title: named.title }, ref, path);
  },
  async prepare(preparation, { document, omitTitle: isTitled, title }, path) {
    const body = isTitled ? bodyWithoutTitle(document, [title]) : document;
    return { pageId: preparation.newPageId(path), body: await preparation.readBody(body, path) };
  },
  async apply(
    edit,
    { kind, parentId, position: place, ref, document: _document, omitTitle: _omitTitle, ...fields },
    { pageId, body },
  ) {
    const { documentHash, sourceHash } = body ? await edit.writePage(undefined, body) : {};
    await edit.tree.insertPage({
      kind,
      pageId,
      // The tree checks which fields a kind can have.
      fields: withoutNulls(withRefs(fields, edit.refs)) as never,
      ...(documentHash ? { documentHash } : {}),
      ...(sourceHash ? { sourceHash } : {}),
      parentId: parentId == null ? null : edit.refs.idOf(parentId),
      ...positionOf(place, edit.refs),
    });
    return [{ action: 'created', what: 'page', target: pageId, ...(ref != null ? { ref } : {}) }];
  },
});

const withoutNulls = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
