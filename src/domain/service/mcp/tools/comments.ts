import { z } from 'zod';
import { listTool, tool } from '../tool.ts';
import { commentIdInput, pageIdInput, userShape, version, versionParams } from './names.ts';

/** Comments are on the primary content of a space, or on a change request. */
const discussion = {
  ...version,
  changeRequestId: version.changeRequestId.describe(
    'ID or number of the change request with the comments. Default: the comments on the primary content of the space.',
  ),
};

const routeOf = (name: string, { changeRequestId }: { changeRequestId?: string | undefined }) =>
  `${name}In${changeRequestId === undefined ? 'Space' : 'ChangeRequest'}`;

const markdown = z.string().min(1).max(50_000).describe('Text as Markdown.');

const messageFields = {
  id: z.string(),
  postedBy: userShape.nullable(),
  postedAt: z.string(),
  body: z.object({ markdown: z.string().optional() }),
};

const commentShape = z.object({
  ...messageFields,
  status: z.string().describe('`open` or `resolved`.'),
  replies: z.number(),
  target: z
    .object({ page: z.object({ id: z.string() }).optional(), node: z.object({ id: z.string() }).optional() })
    .optional()
    .describe('The page and block that the comment is on.'),
});

export const listCommentsTool = listTool({
  name: 'listComments',
  description: 'Lists the comments on a space or a change request, newest first.',
  input: {
    ...discussion,
    status: z.enum(['all', 'open', 'resolved']).default('open').describe('Only comments with this status.'),
    pageId: pageIdInput.optional().describe('Only comments on this page.'),
  },
  item: commentShape,
  rename: { targetPage: 'pageId' },
  list: ({ status, pageId, ...target }) => [
    routeOf('listComments', target),
    { params: versionParams(target), query: { status, targetPage: pageId } },
  ],
});

export const listCommentRepliesTool = listTool({
  name: 'listCommentReplies',
  description: 'Lists the replies to a comment.',
  input: { ...discussion, commentId: commentIdInput },
  item: z.object(messageFields),
  list: ({ commentId, ...target }) => [
    routeOf('listCommentReplies', target),
    { params: { ...versionParams(target), commentId } },
  ],
});

export const postCommentTool = tool({
  name: 'postComment',
  description: 'Posts a comment on a space or a change request, or on a page or block of it.',
  effect: 'adds',
  input: z.strictObject({
    ...discussion,
    markdown,
    pageId: pageIdInput.optional(),
    block: z.string().min(1).max(255).optional().describe('Key of the block of the page, from getPageOutline.'),
  }),
  output: commentShape,
  rename: { body: 'markdown', 'body.markdown': 'markdown', page: 'pageId', node: 'block' },
  run: (agent, { markdown, pageId, block, ...target }) =>
    agent.rest(routeOf('postComment', target), {
      params: versionParams(target),
      body: { body: { markdown }, page: pageId, node: block },
    }),
});

export const replyToCommentTool = tool({
  name: 'replyToComment',
  description: 'Posts a reply to a comment.',
  effect: 'adds',
  input: z.strictObject({ ...discussion, commentId: commentIdInput, markdown }),
  output: z.object(messageFields),
  rename: { body: 'markdown', 'body.markdown': 'markdown' },
  run: (agent, { commentId, markdown, ...target }) =>
    agent.rest(routeOf('postCommentReply', target), {
      params: { ...versionParams(target), commentId },
      body: { body: { markdown } },
    }),
});

export const resolveCommentTool = tool({
  name: 'resolveComment',
  description: 'Marks a comment as resolved, or reopens it.',
  effect: 'adds',
  input: z.strictObject({
    ...discussion,
    commentId: commentIdInput,
    resolved: z.boolean().default(true).describe('False to reopen the comment.'),
  }),
  output: commentShape,
  run: (agent, { commentId, resolved, ...target }) =>
    agent.rest(routeOf('updateComment', target), {
      params: { ...versionParams(target), commentId },
      body: { resolved },
    }),
});
