import type { Context } from '../../../platform/context/context.ts';
import { documentId } from '../../../platform/ids/ids.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { jsonObjectShape } from '../../../platform/shapes/shapes.ts';
import type { ReusableContentRow } from '../../store/manifests/index.ts';
import { toBytes } from '../../store/revisions/index.ts';
import { seedOfSource } from '../computed-sources/index.ts';

export const reusableContent = resource<ReusableContentRow>(
  {
    name: 'ReusableContent',
    description:
      'A reusable content in a revision of a space. Pages can embed it. Its ID within the space (`reusableContentId`, in REST `id`) is the same in all revisions.',
  },
  (f) => ({
    reusableContentId: f.id('reusable')(
      'ID of the reusable content within its space, the same in all revisions.',
      ({ id }) => id,
      {
        rest: 'id',
      },
    ),
    title: f.string('Title of the reusable content, 1 to 255 characters.', ({ title }) => title),
    documentId: f
      .id('doc')
      .optional(
        'ID of the body. Null if there is none. Equal bodies have equal IDs.',
        ({ documentHash }) => (documentHash === undefined ? null : documentId(toBytes(documentHash))),
        { rest: 'document' },
      ),
    computed: f
      .jsonObject(jsonObjectShape('Source that the body is computed from: `{ type, props, dependencies }`.'))
      .optional(
        'Source that the body is computed from. Absent if the content has a body of its own.',
        ({ computed }) => computed,
        {
          graph: false,
        },
      ),
    computedSeed: f.string.optional(
      'Identifies the state of the source that the body is computed from. Null if the content has a body of its own, is read as its source, or cannot be computed.',
      seedOf,
    ),
  }),
);

/** Not a promise for contents without a state, which changes present at once. */
function seedOf(row: ReusableContentRow, ctx: Context): Promise<string | null> | null {
  const source = row.isUncomputed ? undefined : row.computed;
  return source ? seedOfSource(ctx, row.organizationId, source).then((seed) => seed ?? null) : null;
}
