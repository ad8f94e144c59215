import type { GitObjects } from './git-objects.ts';
import type { Tip, TipInput } from './read-tip.ts';
import type { PushInput } from './transport.ts';

/** A branch or tag of a server, and the object that it points at. */
export interface ServerRef {
  ref: string;
  oid: string;
}

/**
 * A repository on a server. `HttpRepository` and `SshRepository` only move bytes. What is done with them is the same
 * for both (`operations.ts`). Methods throw errors that `outcomeOf` explains.
 */
export interface ServerRepository {
  /** Full name of the branch, such as `refs/heads/main`. */
  readonly branch: string;
  /** Maximum size of a pack in bytes. */
  readonly maxPackBytes: number;
  /**
   * Lists the branches and tags, and over HTTP also other refs. With `forPush`, asks as before a push, which servers
   * answer only to those who may push.
   */
  refs(forPush: boolean): Promise<ServerRef[]>;
  /**
   * Fetches a number of commits of the branch into a repository on this machine, which the first call makes. Returns
   * the tip of the branch, or null if the server has no ref at all.
   */
  fetch(gitdir: string, depth: number): Promise<string | null>;
  /** Opens the objects that were fetched so far. The caller must close them. */
  openObjects(gitdir: string): GitObjects;
  /** Writes the files of a fetched commit to the folder. */
  readTip(input: TipInput): Promise<Tip>;
  /** Pushes a commit to a branch that is still at its parent, or with `instead` to a branch that is replaced. */
  push(input: PushInput): Promise<void>;
}
