import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { extendResource, resource } from '../../../platform/resource/resource.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { urlShape } from '../../../platform/shapes/shapes.ts';
import { type RevisionRow, revisionType } from '../../store/revisions/index.ts';
import {
  changeRequest as changeRequestResource,
  loadChangeRequest,
  shownRevisionType,
} from '../change-requests/index.ts';
import { file } from '../files/index.ts';
import { pageShape, presentPages, topPages } from '../pages/index.ts';
import { reusableContent } from '../reusable-contents/index.ts';
import { revision, revisionFields, revisionUrls } from '../revisions/index.ts';
import { readVisibleContents, readVisibleFiles, visibleVariablesOf } from '../visibility/index.ts';

// In the graph, the module of change requests adds this field.
extendResource(revision, (f) => ({
  mergedFrom: f
    .json(shapeOf(changeRequestResource))
    .optional('Merged change request, if the revision is a merge and you can see the change request.', mergedFromOf, {
      graph: false,
    }),
}));

/** A revision together with its content, except the bodies of pages. The graph has fields and connections instead. */
export const wholeRevision = resource<RevisionRow>(
  {
    name: 'Revision',
    object: 'revision',
    node: 'rev',
    description: "An immutable state of a space's content: the page tree, files, reusable contents and variables.",
  },
  (f) => ({
    ...revisionFields(f),
    type: f.enum(revisionType)(
      'How the revision was created. `edits` for a merge whose change request you cannot see.',
      (row, ctx) => shownRevisionType(ctx, row),
    ),
    pages: f.list(types.json(pageShape))('Pages at the top level, in order.', async (row, ctx) =>
      presentPages(await topPages(ctx, row), ctx),
    ),
    files: f.list(types.object(() => file))('All files.', (row, ctx) => readVisibleFiles(ctx, row)),
    reusableContents: f.list(types.object(() => reusableContent))('All reusable contents.', (row, ctx) =>
      readVisibleContents(ctx, row),
    ),
    variables: f.jsonObject()('Variables that expressions can use, by name.', (row, ctx) =>
      visibleVariablesOf(ctx, row),
    ),
    mergedFrom: f
      .json(shapeOf(changeRequestResource))
      .optional('Merged change request, if the revision is a merge and you can see the change request.', mergedFromOf),
    urls: f.jsonObject(z.object({ app: urlShape('URL of the revision in the web application.') }))(
      'URLs of the revision.',
      (row, ctx) => ({ app: revisionUrls(row, ctx).app }),
    ),
  }),
);

/** The merged change request as the caller sees it; undefined if there is none or the caller cannot see it. */
export async function mergedFromOf({ mergedFromId }: RevisionRow, ctx: Context) {
  const changeRequest = mergedFromId === null ? undefined : await loadChangeRequest(ctx, mergedFromId);
  return changeRequest && present(changeRequestResource, changeRequest, ctx);
}
