import { defineEntity, p } from '@mikro-orm/core';
import type { KeptConfiguration } from '../../../lib/repository/configuration.ts';
import { createdTime, flag, hash, json, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** A part of a repository or space that could not be synchronized unchanged. */
export interface GitReportLine {
  severity: 'info' | 'warning';
  outcome: 'kept' | 'changed' | 'dropped';
  file: string;
  line?: number;
  message: string;
}

/** A step of a run. */
export interface GitLogEntry {
  at: string;
  message: string;
}

export type GitRunStatus = 'pending' | 'in-progress' | 'completed' | 'failed' | 'cancelled' | 'skipped';

export type GitProvider = 'github' | 'gitlab' | 'github-legacy';

/** Changes that a run would make. `changes` has at most 1,000 entries. */
export interface GitPreview {
  pagesAdded: number;
  pagesChanged: number;
  pagesRemoved: number;
  filesAdded: number;
  filesChanged: number;
  filesRemoved: number;
  changes: GitPreviewChange[];
}

export interface GitPreviewChange {
  kind: 'page' | 'file';
  change: 'added' | 'changed' | 'removed';
  path: string;
}

/** The Git branch that a space was last synchronized with, or will be for the first time. */
export const GitSync = defineEntity({
  name: 'GitSync',
  tableName: 'git_sync',
  properties: {
    spaceId: text().primary(),
    organizationId: text(),
    /** Null for a host that is neither GitHub nor GitLab. */
    provider: text().$type<GitProvider>().nullable(),
    /** URL of the repository without credentials. */
    repositoryUrl: text(),
    /** URL to show, as given by the caller. */
    url: text().nullable(),
    ref: text(),
    /** Folder of the documentation; empty for the whole repository. */
    projectDirectory: text(),
    /** Prefix of the URLs of files, if known. */
    treeUrl: text().nullable(),
    /** The commit. This and the revisions are null until an import or export has succeeded. */
    commitOid: text().nullable(),
    /** The content that branch and space agreed on: the base of the next merge. */
    baseRevisionId: text().nullable(),
    /** The content of the branch at `commitOid`. */
    branchRevisionId: text().nullable(),
    /** The change request with what branch and space disagree on. */
    conflictChangeRequestId: text().nullable(),
    /** Hashes of the conflicts in the change request: of the base and the branch's side of each. */
    conflictKeys: json<string[]>(),
    /**
     * The settings of `.gitbook.yaml` when it could last be read, which are used while it cannot. Null if it never
     * could.
     */
    configuration: json<KeptConfiguration>().nullable(),
    /** Time of the latest operation that was done, which orders operations; of the first one until it is done. */
    operationAt: time(),
    updatedAt: createdTime(),
    space: reference('Space', 'space_id'),
    organization: reference('Organization', 'organization_id'),
    baseRevision: reference('Revision', 'base_revision_id').nullable(),
    branchRevision: reference('Revision', 'branch_revision_id').nullable(),
    conflictChangeRequest: reference('ChangeRequest', 'conflict_change_request_id').nullable(),
  },
});

/** The object of the space behind a path of the branch, as of the commit of `git_sync`. */
export const GitFile = defineEntity({
  name: 'GitFile',
  tableName: 'git_file',
  properties: {
    spaceId: text().primary(),
    /** Path relative to the project directory, or the name of a page without a file. */
    path: text().primary(),
    organizationId: text(),
    kind: text().$type<'page' | 'file' | 'content'>(),
    /** ID of the page, file or reusable content. */
    targetId: text(),
    /** Object ID of the file; null for pages without one, empty for files that are to be read again. */
    oid: text().nullable(),
    /** Hashes of lines, by which a renamed page is recognized. */
    sketch: p.blob().$type<Buffer>().nullable(),
    space: reference('Space', 'space_id'),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [{ name: 'git_file_target_index', properties: ['spaceId', 'targetId'] }],
});

/** An import from a Git branch or an export to one, in the background. */
export const GitRun = defineEntity({
  name: 'GitRun',
  tableName: 'git_run',
  properties: {
    id: text().primary(),
    organizationId: text(),
    spaceId: text(),
    direction: text().$type<'import' | 'export'>(),
    status: text().$type<GitRunStatus>().default('pending'),
    /** URL of the repository without credentials. */
    repositoryUrl: text(),
    /** The credentials of the URL, encrypted; removed when the run ends. */
    credentials: hash().nullable(),
    ref: text(),
    projectDirectory: text(),
    treeUrl: text().nullable(),
    commitUrl: text().nullable(),
    commitMessage: text().nullable(),
    provider: text().$type<'github' | 'gitlab'>().nullable(),
    infoUrl: text().nullable(),
    force: flag(false),
    standalone: flag(false),
    /** Time of the event that caused the run. Runs of a space are done in this order. */
    operationAt: time(),
    reason: text().nullable(),
    createdBy: text(),
    /** The identity provider that this user signed in with. */
    samlProviderId: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    startedAt: time().nullable(),
    completedAt: time().nullable(),
    /** Number of times that the run was begun. What an earlier attempt still does has no effect. */
    attempt: p.integer().default(0),
    filesRead: p.integer().default(0),
    pagesRead: p.integer().default(0),
    filesChanged: p.integer().default(0),
    keptCount: p.integer().default(0),
    changedCount: p.integer().default(0),
    droppedCount: p.integer().default(0),
    /** At most 1,000 entries. */
    report: json<GitReportLine[]>().nullable(),
    log: json<GitLogEntry[]>().nullable(),
    /** State to store once the commit `commitOid` is in the branch, while it is being pushed. */
    pushing: json<unknown>().nullable(),
    revisionId: text().nullable(),
    commitOid: text().nullable(),
    changeRequestId: text().nullable(),
    /** The connection that started the run. */
    connectionId: text().nullable(),
    /** Whether it only finds out what would change. */
    isDryRun: flag(false),
    preview: json<GitPreview>().nullable(),
    /** Number of the pull request whose branch is imported. */
    pullNumber: p.integer().nullable(),
    organization: reference('Organization', 'organization_id'),
    space: reference('Space', 'space_id'),
    samlProvider: reference('IdentityProvider', 'saml_provider_id').nullable(),
    revision: reference('Revision', 'revision_id').nullable(),
    changeRequest: reference('ChangeRequest', 'change_request_id').nullable(),
    connection: reference('GitConnection', 'connection_id').nullable(),
  },
  indexes: [
    { name: 'git_run_space_index', properties: ['spaceId', 'createdAt', 'id'] },
    { name: 'git_run_status_index', properties: ['status', 'updatedAt'] },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    git_run: Table<typeof GitRun>;
    git_sync: Table<typeof GitSync>;
    git_file: Table<typeof GitFile>;
  }
}
