import type { Role } from '../../../platform/access/roles.ts';

/** Permissions in an organization. `member` includes guests, `role` does not. */
export type OrganizationPermission = 'member' | 'role' | 'createContent' | 'admin';

/**
 * The permission that each operation requires. Operations read their permission from this table, and the isolation
 * tests iterate over it. A published site also grants `view` on a space. An operation with several targets lists each
 * of them. `self` marks operations that only concern the caller.
 */
export const permissions = {
  // The service itself.
  getApiInformation: { open: true },

  listJobQueues: { operator: true },
  listDeadJobs: { operator: true },
  retryDeadJobs: { operator: true },

  // Users.
  getViewer: { self: true },
  getUser: { self: true },
  getEmbed: { self: true },
  updateUser: { self: true },
  createUser: { operator: true },
  createApiToken: { self: true },
  listApiTokens: { self: true },
  revokeApiToken: { self: true },

  // Organizations.
  createOrganization: { self: true },
  listOrganizations: { self: true },
  getOrganization: { organization: 'member' },
  updateOrganization: { organization: 'admin' },
  listEvents: { organization: 'admin' },
  listWebhooks: { organization: 'admin' },
  getWebhook: { organization: 'admin' },
  createWebhook: { organization: 'admin' },
  updateWebhook: { organization: 'admin' },
  deleteWebhook: { organization: 'admin' },
  listWebhookDeliveries: { organization: 'admin' },
  redeliverWebhookEvent: { organization: 'admin' },

  // Collections.
  listCollections: { organization: 'member' },
  getCollection: { collection: 'read' },
  createCollection: { organization: 'createContent', parent: 'create' },
  listCollectionsInCollection: { collection: 'read' },
  listSpacesInCollection: { collection: 'read' },

  // Spaces.
  listSpaces: { organization: 'member' },
  getSpace: { space: 'view' },
  createSpace: { organization: 'createContent', parent: 'create' },
  updateSpace: { space: 'create' },
  updateSpaceSettings: { space: 'admin' },
  deleteSpace: { space: 'admin' },
  restoreSpace: { space: 'admin' },
  duplicateSpace: { space: 'view', organization: 'createContent', parent: 'create' },

  // Content.
  getRevision: { space: 'view' },
  listRevisions: { space: 'read' },
  listRevisionChanges: { space: 'read' },
  listPages: { space: 'view' },
  getPage: { space: 'view' },
  getDocument: { space: 'view' },
  getSpaceEmbed: { space: 'view' },
  getComputedDocument: { space: 'view' },
  getComputedRevision: { space: 'view' },
  listFiles: { space: 'view' },
  getFile: { space: 'view' },
  listReusableContents: { space: 'view' },
  getReusableContent: { space: 'view' },
  searchSpaceContent: { space: 'view' },
  searchOrganizationContent: { organization: 'member' },
  updateSpaceContent: { space: 'edit' },
  importSpaceContent: { space: 'edit' },
  applySpaceTemplate: { space: 'edit' },
  startImportRun: { organization: 'member', space: 'edit' },
  listImportRuns: { organization: 'member' },
  getImportRun: { space: 'read' },
  cancelImportRun: { space: 'edit' },
  createUpload: { organization: 'member' },

  // Links.
  listSpaceLinks: { space: 'read' },
  listPageLinks: { space: 'read' },
  listPageBacklinks: { space: 'read' },
  listFileBacklinks: { space: 'read' },
  listChangeRequestLinks: { space: 'read' },

  // Change requests.
  listChangeRequests: { space: 'read' },
  listOrganizationChangeRequests: { organization: 'member' },
  getSpacePdf: { space: 'view' },
  getChangeRequestPdf: { space: 'read' },
  getChangeRequest: { space: 'read' },
  listChangeRequestContributors: { space: 'read' },
  listChangeRequestChanges: { space: 'read' },
  createChangeRequest: { space: 'edit' },
  updateChangeRequest: { space: 'edit' },
  updateForeignChangeRequest: { space: 'review' },
  updateChangeRequestContent: { space: 'edit' },
  listReviews: { space: 'read' },
  getReview: { space: 'read' },
  submitReview: { space: 'review' },
  listRequestedReviewers: { space: 'read' },
  requestReviewers: { space: 'edit' },
  removeRequestedReviewer: { space: 'edit' },
  listConflicts: { space: 'read' },
  mergeChangeRequest: { space: 'review' },
  pullChangeRequest: { space: 'edit' },
  resolveChangeRequestConflicts: { space: 'edit' },
  importChangeRequestContent: { space: 'edit' },

  // Conversations.
  ingestConversations: { organization: 'admin' },
  listConversations: { organization: 'role' },
  getConversation: { organization: 'role' },
  deleteConversation: { organization: 'admin' },
  purgeConversations: { organization: 'admin' },
  listConversationIssues: { organization: 'role' },
  getConversationIssue: { organization: 'role' },
  listIssuesClusters: { organization: 'role' },
  getIssuesCluster: { organization: 'role' },
  listClusterChangeRequests: { organization: 'role' },
  listClusterPages: { organization: 'role' },

  // Comments.
  listComments: { space: 'read' },
  getComment: { space: 'read' },
  postComment: { space: 'comment' },
  updateComment: { space: 'comment', orAuthor: true },
  deleteComment: { space: 'admin', orAuthor: true },
  listCommentReplies: { space: 'read' },
  getCommentReply: { space: 'read' },
  postCommentReply: { space: 'comment' },
  updateCommentReply: { space: 'comment', orAuthor: true },
  deleteCommentReply: { space: 'admin', orAuthor: true },
  listCommenters: { space: 'read' },
} as const satisfies Record<string, Permission>;

/** An entry of `permissions`. */
export interface Permission {
  /** Requires no token. */
  open?: true;
  self?: true;
  operator?: true;
  organization?: OrganizationPermission;
  collection?: Role;
  /** On the parent collection, instead of `organization`, if there is one. */
  parent?: Role;
  space?: Role | 'view';
  /** The author of the target only needs to see it. */
  orAuthor?: true;
  site?: Role;
}

export type PermissionName = keyof typeof permissions;
