import { resource } from '../../../platform/resource/resource.ts';
import { changeRequest, loadChangeRequest } from '../../content/change-requests/index.ts';
import type { CommentRow } from './columns.ts';

const tableCell = resource<{ record: string; definition: string }>(
  { name: 'TableCell', description: 'A cell of a table, identified by its row and column.' },
  (f) => ({
    record: f.string('ID of the record (row).', ({ record }) => record),
    definition: f.string('ID of the definition (column).', ({ definition }) => definition),
  }),
);

const targetNode = resource<string>(
  { name: 'CommentTargetNode', description: 'A node that a comment refers to.' },
  (f) => ({ id: f.string('Key of the node in the document.', (key) => key) }),
);

const targetPage = resource<string>(
  { name: 'CommentTargetPage', description: 'A page that a comment refers to.' },
  (f) => ({ id: f.id('page')('ID of the page.', (id) => id) }),
);

export const commentTarget = resource<CommentRow>(
  { name: 'CommentTarget', description: 'What a comment refers to.' },
  (f) => ({
    node: f.apart({
      graph: f.string.optional(
        'Key of the node that the comment refers to, in the document of the page. Remains when the node is deleted.',
        ({ nodeId }) => nodeId,
      ),
      rest: f.object(() => targetNode).optional('', ({ nodeId }) => nodeId),
    }),
    tableCell: f
      .object(() => tableCell)
      .optional(
        'Table cell that the comment refers to. Only if the node is a table.',
        ({ tableRecord: record, tableDefinition: definition }) =>
          record === null || definition === null ? null : { record, definition },
      ),
    changeRequest: f.reference(
      () => changeRequest,
      'Change request that was commented on. Null for comments on the primary content.',
      {
        prefix: 'cr',
        id: ({ changeRequestId }) => changeRequestId,
        load: ({ changeRequestId: id }, ctx) => (id === null ? null : loadChangeRequest(ctx, id)),
      },
    ),
    pageId: f
      .id('page')
      .optional(
        'ID of the page that the comment refers to. Remains when the page is deleted.',
        ({ pageId }) => pageId,
        {
          rest: false,
        },
      ),
    page: f
      .object(() => targetPage)
      .optional('Page that the comment refers to. Remains when the page is deleted.', ({ pageId }) => pageId, {
        graph: false,
      }),
    space: f.id('space')('ID of the space that the comment belongs to.', ({ spaceId }) => spaceId, { graph: false }),
    revisionId: f.id('rev')(
      'ID of the revision of the content at the time of posting.',
      ({ revisionId }) => revisionId,
      { rest: 'revision' },
    ),
  }),
);
