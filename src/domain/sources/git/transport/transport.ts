import type { Slot } from '../../../../platform/heavy-work/heavy-work.ts';
import type { RemoteCommit, RemoteFault, RemoteFile, SkippedEntry } from './remote.ts';

export interface TransportOptions {
  /** The slot that the work takes. It ends when its signal is aborted. */
  slot: Pick<Slot, 'inWorker' | 'signal'>;
  /** Time limit without progress. */
  limitMs: number;
  /**
   * Time limit of a whole fetch or push, even if it makes progress. Default: 10 minutes. For listing branches it is
   * `limitMs`.
   */
  totalMs?: number;
}

export interface ListRefsInput {
  /** A commit, to find the branches that are at it. */
  commit: string | null;
  /** Asks as before a push, which servers answer only to those who may push. */
  forPush: boolean;
}

export interface ListedRefs {
  /** Whether the repository has no branch and no tag. */
  isEmpty: boolean;
  /** Commit of the branch. Null if there is no such branch. */
  tip: string | null;
  /** Branches at the commit that was asked for, up to 10. */
  sameCommit: string[];
}

export interface FetchInput {
  /** Folder of the project in the repository; empty for the whole repository. */
  directory: string;
  /** A folder for the repository and the files. */
  folder: string;
  /** Number of commits to fetch; 1 for the files of the tip. */
  depth: number;
  /** A commit that the branch had, to find out whether it still has it. */
  known?: string | undefined;
}

export interface FetchedBranch {
  /** Null for a branch that does not exist in a repository without any branch. */
  commit: RemoteCommit | null;
  files: RemoteFile[];
  skipped: SkippedEntry[];
  /** How much larger the pack of all files of the commit can become, in bytes. */
  packRoom: number;
  /** Whether the branch has the commit that was asked for. Undefined if it is not known. */
  hasKnown?: boolean | undefined;
}

export interface PushInput {
  /** Folder of the commit. */
  folder: string;
  oid: string;
  /** The commit that the branch must have on the server; null if it must not exist. */
  parent: string | null;
  /** The objects that the server does not have. */
  objects: string[];
  /** Another branch to push to, which is replaced. */
  instead?: string | undefined;
}

/** What can be done with a branch on a server. */
export interface Operations {
  /** Lists the server's branches without fetching objects. */
  listRefs: { input: ListRefsInput; result: { refs: ListedRefs } };
  /**
   * Fetches the tip of the branch into a repository in the folder, and writes the files of its commit to the folder.
   */
  fetch: { input: FetchInput; result: { fetched: FetchedBranch } };
  /**
   * Pushes a commit of that repository, only to a branch that has not moved: another person's commit is never replaced.
   * A commit that the branch has already counts as pushed. With `instead`, the commit replaces what that branch has.
   */
  push: { input: PushInput; result: { pushed: true } };
}

export type TransportResult<Name extends keyof Operations> = Operations[Name]['result'] | { fault: RemoteFault };

/**
 * Reads a branch from its server and writes it there. Faults of the server are results; exceeded limits are thrown as
 * `WorkExceeded`.
 */
export type Transport = {
  [Name in keyof Operations]: (input: Operations[Name]['input']) => Promise<TransportResult<Name>>;
};
