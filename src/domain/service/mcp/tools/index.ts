import type { Tool } from '../tool.ts';
import * as changeRequests from './change-requests.ts';
import * as comments from './comments.ts';
import * as edits from './edits.ts';
import { listRevisionsTool } from './history.ts';
import { listBrokenLinksTool } from './links.ts';
import { getPageOutlineTool, getPageTool, listPagesTool } from './pages.ts';
import { listMembersTool, listOrganizationsTool, listSitesTool, listSpacesTool } from './places.ts';
import { listQuestionClustersTool } from './questions.ts';
import { searchTool } from './search.ts';

/** All tools, in the order of their list. */
export const tools: readonly Tool[] = [
  listOrganizationsTool,
  listSpacesTool,
  listSitesTool,
  listMembersTool,
  searchTool,
  listPagesTool,
  getPageTool,
  getPageOutlineTool,
  listRevisionsTool,
  listBrokenLinksTool,
  listQuestionClustersTool,
  changeRequests.listChangeRequestsTool,
  changeRequests.getChangeRequestTool,
  changeRequests.getChangeRequestDiffTool,
  changeRequests.getMergeabilityTool,
  changeRequests.listConflictsTool,
  comments.listCommentsTool,
  comments.listCommentRepliesTool,
  changeRequests.createChangeRequestTool,
  changeRequests.updateChangeRequestTool,
  edits.editPageTextTool,
  edits.editPageSectionTool,
  edits.editPageBlocksTool,
  edits.insertPageTool,
  edits.updatePageTool,
  edits.movePageTool,
  edits.addFilesFromUrlsTool,
  changeRequests.updateFromMainTool,
  changeRequests.resolveConflictsTool,
  changeRequests.requestReviewTool,
  changeRequests.mergeChangeRequestTool,
  comments.postCommentTool,
  comments.replyToCommentTool,
  comments.resolveCommentTool,
];
