import type { Tool } from '../tool.ts';
import * as changeRequests from './change-requests.ts';
import * as comments from './comments.ts';
import * as edits from './edits.ts';
import { listRevisions } from './history.ts';
import { listBrokenLinks } from './links.ts';
import { getPage, getPageOutline, listPages } from './pages.ts';
import { listMembers, listOrganizations, listSites, listSpaces } from './places.ts';
import { listQuestionClusters } from './questions.ts';
import { search } from './search.ts';

/** All tools, in the order of their list. */
export const tools: readonly Tool[] = [
  listOrganizations,
  listSpaces,
  listSites,
  listMembers,
  search,
  listPages,
  getPage,
  getPageOutline,
  listRevisions,
  listBrokenLinks,
  listQuestionClusters,
  changeRequests.listChangeRequests,
  changeRequests.getChangeRequest,
  changeRequests.getChangeRequestDiff,
  changeRequests.getMergeability,
  changeRequests.listConflicts,
  comments.listComments,
  comments.listCommentReplies,
  changeRequests.createChangeRequest,
  changeRequests.updateChangeRequest,
  edits.editPageText,
  edits.editPageSection,
  edits.editPageBlocks,
  edits.insertPage,
  edits.updatePage,
  edits.movePage,
  edits.addFilesFromUrls,
  changeRequests.updateFromMain,
  changeRequests.resolveConflicts,
  changeRequests.requestReview,
  changeRequests.mergeChangeRequest,
  comments.postComment,
  comments.replyToComment,
  comments.resolveComment,
];
