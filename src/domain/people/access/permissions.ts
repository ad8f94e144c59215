import type { Role } from '../../../platform/access/roles.ts';

/**
 * Permissions in an organization. `member` includes guests, `role` does not. `reach` also includes applications that
 * are limited to spaces of it, for operations whose responses and effects are the content of spaces, whatever else is
 * in the organization.
 */
export type OrganizationPermission = 'reach' | 'member' | 'role' | 'createContent' | 'admin';

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
  verifyEmail: { self: true },
  confirmUserEmail: { operator: true },
  createApiToken: { self: true },
  listApiTokens: { self: true },
  revokeApiToken: { self: true },
  listSessions: { self: true },
  endSession: { self: true },
  createSignInLink: { operator: true },
  listPasskeys: { self: true },
  updatePasskey: { self: true },
  deletePasskey: { self: true },
  listOAuthGrants: { self: true },
  revokeOAuthGrant: { self: true },

  // Organizations.
  createOrganization: { self: true },
  listOrganizations: { self: true },
  getOrganization: { organization: 'reach' },
  updateOrganization: { organization: 'admin' },
  verifyEmailDomain: { organization: 'admin' },
  getOrganizationKeys: { open: true },
  rotateOrganizationKeys: { organization: 'admin' },
  listOrganizationsByEmailDomain: { self: true },
  getSubdomain: { self: true },
  getAgentInstructions: { organization: 'admin' },
  updateAgentInstructions: { organization: 'admin' },
  listEvents: { organization: 'admin' },
  listAuditEvents: { organization: 'admin' },
  exportAuditEvents: { organization: 'admin' },
  listWebhooks: { organization: 'admin' },
  getWebhook: { organization: 'admin', hidden: { below: 'admin' } },
  createWebhook: { organization: 'admin' },
  updateWebhook: { organization: 'admin', hidden: { below: 'admin' } },
  deleteWebhook: { organization: 'admin', hidden: { below: 'admin' } },
  listWebhookDeliveries: { organization: 'admin', hidden: { below: 'admin' } },
  redeliverWebhookEvent: { organization: 'admin', hidden: { below: 'admin' } },

  // OpenAPI specifications.
  listOpenApiSpecs: { organization: 'role' },
  getOpenApiSpec: { organization: 'role' },
  listOpenApiSpecVersions: { organization: 'role' },
  getOpenApiSpecVersion: { organization: 'role' },
  getOpenApiSpecContent: { organization: 'role' },
  listOpenApiOperations: { organization: 'role' },
  getOpenApiOperation: { organization: 'role' },
  listOpenApiSpecChanges: { organization: 'role' },
  listOpenApiSchemas: { organization: 'role' },
  listOpenApiSpecBacklinks: { organization: 'role' },
  getOpenApiSpecChangelog: { organization: 'role' },
  listOpenApiLintProblems: { organization: 'role' },
  createOpenApiSpec: { organization: 'createContent' },
  setOpenApiSpecSource: { organization: 'createContent' },
  updateOpenApiSpec: { organization: 'createContent' },
  deleteOpenApiSpec: { organization: 'createContent', hidden: { below: 'read' } },
  // SSO.
  listSamlProviders: { organization: 'admin' },
  getSamlProvider: { organization: 'admin', hidden: { below: 'admin' } },
  createSamlProvider: { organization: 'admin' },
  listScimTokens: { organization: 'admin' },
  createScimToken: { organization: 'admin' },
  revokeScimToken: { organization: 'admin', hidden: { below: 'admin' } },
  updateSamlProvider: { organization: 'admin', hidden: { below: 'admin' } },
  deleteSamlProvider: { organization: 'admin', hidden: { below: 'admin' } },
  listOidcProviders: { organization: 'admin' },
  getOidcProvider: { organization: 'admin', hidden: { below: 'admin' } },
  createOidcProvider: { organization: 'admin' },
  updateOidcProvider: { organization: 'admin', hidden: { below: 'admin' } },
  deleteOidcProvider: { organization: 'admin', hidden: { below: 'admin' } },
  listSsoLogins: { open: true },
  setBreakGlass: { operator: true },
  // Members and teams.
  joinOrganization: { self: true },
  pingOrganization: { organization: 'member' },
  inviteMembers: { organization: 'admin' },
  listInvites: { organization: 'admin' },
  deleteInvite: { organization: 'admin', hidden: { below: 'admin' } },
  acceptInvite: { open: true },
  listLinkInvites: { organization: 'admin', orTargetAdmin: true },
  getLinkInvite: { organization: 'admin', orTargetAdmin: true, hidden: { below: 'admin', within: true } },
  createLinkInvite: { organization: 'admin', orTargetAdmin: true },
  updateLinkInvite: { organization: 'admin', orTargetAdmin: true, hidden: { below: 'admin', within: true } },
  deleteLinkInvite: { organization: 'admin', orTargetAdmin: true, hidden: { below: 'admin', within: true } },
  joinWithLinkInvite: { self: true },
  listMembers: { organization: 'role' },
  getMember: { organization: 'member', ofMember: true },
  updateMember: { organization: 'admin', ofMember: true },
  removeMember: { organization: 'admin', orSelf: true, ofMember: true },
  addSsoMember: { organization: 'admin' },
  listMemberSpaces: { organization: 'member', ofMember: true },
  listMemberTeams: { organization: 'member', ofMember: true },
  listTeams: { organization: 'role' },
  getTeam: { organization: 'member', ofTeam: true },
  createTeam: { organization: 'admin' },
  updateTeam: { organization: 'admin', orTeamOwner: true, ofTeam: true },
  deleteTeam: { organization: 'admin', ofTeam: true },
  listTeamMembers: { organization: 'member', ofTeam: true },
  addTeamMember: { organization: 'admin', orTeamOwner: true, ofTeam: true },
  removeTeamMember: { organization: 'admin', orTeamOwner: true, ofTeam: true },
  setTeamMembers: { organization: 'admin', orTeamOwner: true, ofTeam: true },

  // Collections.
  listCollections: { organization: 'reach' },
  getCollection: { collection: 'read' },
  createCollection: { organization: 'createContent', parent: 'create' },
  listCollectionsInCollection: { collection: 'read' },
  listSpacesInCollection: { collection: 'read' },
  updateCollection: { collection: 'create' },
  updateCollectionSettings: { collection: 'admin' },
  deleteCollection: { collection: 'admin' },
  transferCollection: { collection: 'admin', organization: 'admin', parent: 'admin', target: 'createContent' },
  moveCollection: { collection: 'admin', organization: 'createContent', parent: 'admin' },

  // Spaces.
  listSpaces: { organization: 'reach' },
  getSpace: { space: 'view' },
  createSpace: { organization: 'createContent', parent: 'create' },
  updateSpace: { space: 'create' },
  updateSpaceSettings: { space: 'admin' },
  deleteSpace: { space: 'admin' },
  restoreSpace: { space: 'admin' },
  duplicateSpace: { space: 'read', organization: 'createContent', parent: 'create' },
  transferSpace: { space: 'admin', organization: 'admin', parent: 'admin', target: 'createContent' },
  moveSpace: { space: 'admin', organization: 'createContent', parent: 'admin' },

  // Permissions on spaces, collections and sites.
  listPermissionGrants: { content: 'admin' },
  listEffectivePermissions: { content: 'admin' },
  grantPermission: { content: 'admin' },
  updatePermission: { content: 'admin' },
  revokePermission: { content: 'admin' },

  // Content.
  getRevision: { space: 'view' },
  listRevisions: { space: 'read' },
  listRevisionChanges: { space: 'read' },
  listPages: { space: 'view' },
  listAllPages: { space: 'view' },
  getPage: { space: 'view' },
  getPageText: { space: 'view' },
  getPageOutline: { space: 'view' },
  getDocument: { space: 'view' },
  getSpaceEmbed: { space: 'view' },
  getComputedDocument: { space: 'view' },
  getComputedRevision: { space: 'view' },
  listFiles: { space: 'view' },
  getFile: { space: 'view' },
  listReusableContents: { space: 'view' },
  getReusableContent: { space: 'view' },
  searchSpaceContent: { space: 'view' },
  searchOrganizationContent: { organization: 'reach' },
  previewMarkdown: { space: 'edit' },
  updateSpaceContent: { space: 'edit' },
  importSpaceContent: { space: 'edit' },
  applySpaceTemplate: { space: 'edit' },
  startImportRun: { organization: 'member', space: 'edit' },
  listImportRuns: { organization: 'reach' },
  getImportRun: { space: 'read' },
  cancelImportRun: { space: 'edit' },
  createUpload: { organization: 'reach' },

  // Git.
  importSpaceFromGit: { space: 'create' },
  exportSpaceToGit: { space: 'create' },
  getSpaceGitInfo: { space: 'read' },
  removeLegacyGitInstallation: { space: 'create' },
  listGitRuns: { space: 'create' },
  getGitRun: { space: 'create', hidden: { below: 'create', within: true } },
  cancelGitRun: { space: 'create', hidden: { below: 'create', within: true } },
  getGitConnection: { space: 'create' },
  createGitConnection: { space: 'admin' },
  updateGitConnection: { space: 'admin' },
  rotateGitHookSecret: { space: 'admin' },
  rotateGitSshKey: { space: 'admin' },
  deleteGitConnection: { space: 'admin' },
  startGitConnection: { space: 'admin' },
  previewGitConnection: { space: 'create' },
  syncGitConnection: { space: 'create' },
  checkGitConnection: { space: 'create' },

  // Links.
  listSpaceLinks: { space: 'read' },
  listPageLinks: { space: 'read' },
  listPageBacklinks: { space: 'read' },
  listFileBacklinks: { space: 'read' },
  listChangeRequestLinks: { space: 'read' },

  // Change requests.
  listChangeRequests: { space: 'read' },
  listOrganizationChangeRequests: { organization: 'reach' },
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

  // Translations.
  listTranslations: { organization: 'member' },
  getTranslation: { space: 'read' },
  createTranslation: { organization: 'createContent', parent: 'create' },
  updateTranslation: { space: 'read', organization: 'createContent' },
  runTranslation: { space: 'read', organization: 'createContent' },
  cancelTranslationRun: { space: 'read', organization: 'createContent' },
  deleteTranslation: { space: 'read', organization: 'createContent' },
  listTranslationReviews: { space: 'read' },
  getTranslationReview: { space: 'read' },
  listUntranslatedPages: { space: 'read' },
  resolveTranslationReview: { space: 'read', organization: 'createContent' },
  deleteTranslationReview: { space: 'read', organization: 'createContent' },
  exportTranslation: { space: 'read' },
  importTranslationEdits: { space: 'edit', organization: 'createContent' },
  importTranslationMemory: { space: 'read', organization: 'createContent' },
  purgeTranslationMemory: { space: 'read', organization: 'createContent' },
  listGlossaryEntries: { organization: 'role' },
  getGlossaryEntry: { organization: 'role' },
  updateGlossaryEntries: { organization: 'createContent' },
  getTranslationProvider: { organization: 'admin' },
  setTranslationProvider: { organization: 'admin' },
  resetTranslationProvider: { organization: 'admin' },

  // Conversations.
  ingestConversations: { organization: 'admin' },
  listConversations: { organization: 'role' },
  getConversation: { organization: 'role', hidden: { below: 'read' } },
  deleteConversation: { organization: 'admin', hidden: { below: 'read' } },
  purgeConversations: { organization: 'admin' },
  listConversationIssues: { organization: 'role' },
  getConversationIssue: { organization: 'role', hidden: { below: 'read' } },
  listIssuesClusters: { organization: 'role' },
  getIssuesCluster: { organization: 'role', hidden: { below: 'read' } },
  listClusterChangeRequests: { organization: 'role', hidden: { below: 'read' } },
  listClusterPages: { organization: 'role', hidden: { below: 'read' } },
  getIssuesGrouping: { organization: 'role' },

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

  // Sites.
  listSites: { organization: 'reach' },
  getSite: { site: 'view' },
  createSite: { organization: 'createContent' },
  updateSite: { site: 'admin' },
  deleteSite: { site: 'admin' },
  publishSite: { site: 'admin' },
  unpublishSite: { site: 'admin' },

  // Structure of sites.
  getSiteStructure: { site: 'view' },
  sortSiteStructure: { site: 'create' },
  listSiteSpaces: { site: 'view' },
  getSiteSpace: { site: 'view' },
  addSiteSpace: { site: 'create' },
  updateSiteSpace: { site: 'create' },
  deleteSiteSpace: { site: 'create' },
  moveSiteSpace: { site: 'create' },
  duplicateSiteSpace: { site: 'create' },
  listSiteSections: { site: 'view' },
  getSiteSection: { site: 'view' },
  addSiteSection: { site: 'create' },
  updateSiteSection: { site: 'create' },
  deleteSiteSection: { site: 'create' },
  moveSiteSection: { site: 'create' },
  listSiteSectionGroups: { site: 'view' },
  getSiteSectionGroup: { site: 'view' },
  addSiteSectionGroup: { site: 'create' },
  updateSiteSectionGroup: { site: 'create' },
  deleteSiteSectionGroup: { site: 'create' },
  moveSiteSectionGroup: { site: 'create' },
  addSectionToGroup: { site: 'create' },
  removeSectionFromGroup: { site: 'create' },
  getSiteExternalLink: { site: 'view' },
  addSiteExternalLink: { site: 'create' },
  updateSiteExternalLink: { site: 'create' },
  deleteSiteExternalLink: { site: 'create' },

  // Appearance of sites.
  getPublishedSite: { site: 'view' },
  getSiteCustomization: { site: 'view' },
  updateSiteCustomization: { site: 'admin' },
  getSiteSpaceCustomization: { site: 'view' },
  overrideSiteSpaceCustomization: { site: 'admin' },
  resetSiteSpaceCustomization: { site: 'admin' },

  // Redirects of sites.
  getSiteRedirectBySource: { site: 'view' },
  listSiteRedirects: { site: 'read' },
  getSiteRedirect: { site: 'read' },
  createSiteRedirect: { site: 'create' },
  upsertSiteRedirects: { site: 'create' },
  importSiteRedirects: { site: 'create' },
  updateSiteRedirect: { site: 'create' },
  deleteSiteRedirect: { site: 'create' },

  listSiteIntegrationScripts: { site: 'view' },
  searchSiteContent: { site: 'view' },

  // Visitors of sites.
  trackSiteEvents: { site: 'view' },
  getSiteInsights: { site: 'read' },

  // URLs of content.
  getPublishedContent: { open: true },
  getContentByUrl: { self: true },
  getSitePreview: { site: 'read' },

  // Custom hostnames of sites.
  getCustomHostname: { site: 'admin' },
  verifyCustomHostname: { site: 'admin' },
  removeCustomHostname: { site: 'admin' },

  // Audiences of sites.
  listShareLinks: { site: 'admin' },
  getShareLink: { site: 'admin', hidden: { below: 'admin' } },
  createShareLink: { site: 'admin' },
  updateShareLink: { site: 'admin', hidden: { below: 'admin' } },
  revokeShareLink: { site: 'admin', hidden: { below: 'admin' } },
  getSitePublishingAuth: { site: 'admin' },
  updateSitePublishingAuth: { site: 'admin' },
  regenerateSitePublishingKey: { site: 'admin' },
  getSiteAdaptiveSchema: { site: 'read' },
  updateSiteAdaptiveSchema: { site: 'admin' },
  listSiteTemplateConditions: { site: 'read' },
} as const satisfies Record<string, Permission>;

/** An entry of `permissions`. */
export interface Permission {
  /** Requires no token. */
  open?: true;
  self?: true;
  operator?: true;
  organization?: OrganizationPermission;
  /** Owners of the team only need to be members. */
  orTeamOwner?: true;
  /** Admins of the space or collection that the target leads to only need to be members. */
  orTargetAdmin?: true;
  /** Members need no role to do it to themselves. */
  orSelf?: true;
  /** The target is a member. Guests only see themselves: other members are NOT_FOUND. */
  ofMember?: true;
  /** The target is a team. Guests only see teams that they belong to: others are NOT_FOUND. */
  ofTeam?: true;
  /**
   * Callers with a role lower than `below` do not see the target: it is NOT_FOUND for them. If the input also names the
   * organization or site that it is in, the operation is FORBIDDEN there whatever the target is; `within` excepts that.
   */
  hidden?: { below: Role; within?: true };
  collection?: Role;
  /** In the other organization that the input names. */
  target?: OrganizationPermission;
  /** On the parent collection, instead of `organization`, if there is one. */
  parent?: Role;
  space?: Role | 'view';
  /** The author of the target only needs to see it. */
  orAuthor?: true;
  site?: Role | 'view';
  /** On the space, collection or site that the input names. */
  content?: Role;
}
