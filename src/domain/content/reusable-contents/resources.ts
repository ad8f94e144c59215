import { documentId } from '../../../platform/ids.ts';
import { resource } from '../../../platform/resource/resource.ts';
import type { ReusableContentRow } from '../../store/manifests/index.ts';
import { toBytes } from '../../store/revisions/index.ts';

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
  }),
);
