import type { Turn } from '../../../../platform/heavy-work/heavy-work.ts';
import type { FetchInput, FetchOutcome } from './fetch-work.ts';
import type { ListRefsInput, ListRefsOutcome } from './list-refs-work.ts';
import type { PushInput, PushOutcome } from './push-work.ts';

export interface TransportOptions {
  /** The slot that the work takes. It ends when its signal is aborted. */
  turn: Pick<Turn, 'inWorker' | 'signal'>;
  /** Time limit without progress. */
  limitMs: number;
}

/** How a branch is read from its server and written to it. Faults of the server are results; exceeded limits are thrown as `WorkExceeded`. */
export interface Transport {
  /** Asks the server for its branches. No object is fetched. */
  listRefs(input: Omit<ListRefsInput, 'remote'>): Promise<ListRefsOutcome>;
  /** Fetches the tip of the branch into a repository in the folder, and writes the files of its commit to the folder. */
  fetch(input: Omit<FetchInput, 'remote'>): Promise<FetchOutcome>;
  /**
   * Pushes a commit of that repository, only to a branch that has not moved: a commit that somebody else pushed is never replaced. A commit that
   * the branch has already counts as pushed. With `instead`, the commit replaces what that branch has.
   */
  push(input: Omit<PushInput, 'remote'>): Promise<PushOutcome>;
}
