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
  { name: 'CommentTarget', description: 'Space, change request or part of their content that a comment refers to.' },
  (f) => ({
    node: f.apart({
      graph: f.string.optional(
        'Key of the node that the comment refers to, in the document of the page. Unchanged when the node is deleted. Null if the comment refers to no node.',
        ({ nodeId }) => nodeId,
      ),
      rest: f.object(() => targetNode).optional('', ({ nodeId }) => nodeId),
    }),
    tableCell: f
      .object(() => tableCell)
      .optional(
        'Table cell that the comment refers to. Null unless the node is a table.',
        ({ tableRecord: record, tableDefinition: definition }) =>
          record === null || definition === null ? null : { record, definition },
      ),
    changeRequest: f.reference(
      () => changeRequest,
      'Change request that the comment refers to. Null for comments on the primary content.',
      {
        prefix: 'cr',
        id: ({ changeRequestId }) => changeRequestId,
        load: ({ changeRequestId: id }, ctx) => (id === null ? null : loadChangeRequest(ctx, id)),
      },
    ),
    pageId: f
      .id('page')
      .optional(
        'ID of the page that the comment refers to. Unchanged when the page is deleted. Null if the comment refers to no page.',
        ({ pageId }) => pageId,
        {
          rest: false,
        },
      ),
    page: f
      .object(() => targetPage)
      .optional('Page that the comment refers to. Unchanged when the page is deleted.', ({ pageId }) => pageId, {
        graph: false,
      }),
    space: f.id('space')('ID of the space that the comment belongs to.', ({ spaceId }) => spaceId, { graph: false }),
    revisionId: f.id('rev')(
      'ID of the revision that was current when the comment was posted.',
      ({ revisionId }) => revisionId,
      { rest: 'revision' },
    ),
  }),
);
