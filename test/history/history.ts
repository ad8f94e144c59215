/*
 * A history: what callers asked for, when, and what they were answered, together with what the service shows when all
 * is over. Laws are checked on histories, so that these hold everything a law needs.
 */

/** A role on a space; null is none. */
export type SpaceRole = 'read' | 'comment' | 'review' | 'edit' | null;

export type Transport = 'rest' | 'graph';

/** What is known of an effect: it happened, it did not, or nobody can say, as after a broken connection or a 503. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** One request. Times are milliseconds of one clock. */
export interface Attempt {
  /** The number of the server process that the request was sent to. */
  server: number;
  from: number;
  to: number;
  outcome: Outcome;
  /** The status of REST, or the one that belongs to the code of an error in the graph. 0 without an answer. */
  status: number;
  output?: Output | undefined;
  /** The error is about the payload of a mutation that has run. Its output, which laws need, stays unknown. */
  hasRun?: boolean | undefined;
  /** The body of an internal error. */
  text?: string | undefined;
  /** A success that lacks what its description promises, which leaves the outcome unknown. */
  unreadable?: string | undefined;
}

export type CommandName =
  | 'edit'
  | 'createChangeRequest'
  | 'editChangeRequest'
  | 'merge'
  | 'resolve'
  | 'postComment'
  | 'updateComment'
  | 'deleteComment'
  | 'setGrant'
  | 'setMember'
  | 'createToken'
  | 'revokeToken';

export type QueryName = 'readHead' | 'readPage' | 'readComment' | 'readSpace' | 'useToken';

export type EditKind = 'insert' | 'append' | 'lead' | 'move' | 'remove';

export interface Input {
  spaceId?: string | undefined;
  changeRequestId?: string | undefined;
  pageId?: string | undefined;
  commentId?: string | undefined;
  revisionId?: string | undefined;
  edit?: EditKind | undefined;
  /** The word that the command writes. No other command writes it. */
  word?: string | undefined;
  /** The word that it replaces. */
  replaces?: string | undefined;
  /** The position that a page is moved to. */
  position?: number | undefined;
  /** The revision that the changes are based on. */
  baseRevisionId?: string | undefined;
  /** The version that the space must have, and the head that was read with it. */
  expected?: { version: string; revisionId: string } | undefined;
  choice?: 'ours' | 'theirs' | undefined;
  conflicts?: ConflictSides[] | undefined;
  /** The member whose role is set. */
  userId?: string | undefined;
  memberId?: string | undefined;
  role?: SpaceRole | undefined;
  tokenId?: string | undefined;
  label?: string | undefined;
}

/** The words of both versions in a conflict. */
export interface ConflictSides {
  id: string;
  ours: string[];
  theirs: string[];
}

export interface Output {
  revisionId?: string | undefined;
  version?: string | undefined;
  pageId?: string | undefined;
  changeRequestId?: string | undefined;
  commentId?: string | undefined;
  tokenId?: string | undefined;
  secret?: string | undefined;
  result?: 'merge' | 'update' | 'conflicts' | undefined;
  conflicts?: ConflictSides[] | undefined;
  /** The words of a page or a comment, in their order. */
  words?: string[] | undefined;
}

/** A command or query with all its attempts, which have one idempotency key. */
export interface Operation {
  id: number;
  caller: string;
  name: CommandName | QueryName;
  transport: Transport;
  key?: string | undefined;
  input: Input;
  attempts: Attempt[];
}

/** An event, in the order of the log. */
export interface LoggedEvent {
  id: string;
  kind: string;
  spaceId?: string | undefined;
  ids: Record<string, string>;
}

/** What a reader of the log received, over all its connections. It began after the first event. */
export interface Followed {
  name: string;
  received: string[];
  /** How often it went on after the last event that it had. */
  resumed: number;
}

/** What the service shows when nothing is under way. */
export interface FinalState {
  /** Of each space, its revisions with their first parents, the newest first. */
  revisions: Record<string, { id: string; parentId: string | undefined }[]>;
  /** The words of the pages of each space. */
  pages: Record<string, Record<string, string[]>>;
  /** The words of all comments of each space. */
  comments: Record<string, Record<string, string[]>>;
  events: LoggedEvent[];
}

export interface History {
  seed: number;
  /** The space of the writers, whose texts are followed, and the one whose roles change. */
  spaceId: string;
  guardedSpaceId: string;
  /** The revision, and the words of its pages, when the callers began. */
  begin: { revisionId: string; pages: Record<string, string[]> };
  /** Caller by user id, for those whose roles change. */
  guests: { userId: string; caller: string; by: 'setGrant' | 'setMember' }[];
  operations: Operation[];
  followed: Followed[];
  faults: string[];
  final: FinalState;
}

/** A law that a history breaks. */
export interface Violation {
  law: LawName;
  message: string;
  /** Ids of the operations that show it. */
  operations: number[];
}

export type LawName = 'heads' | 'keys' | 'events' | 'cursors' | 'texts' | 'permissions' | 'answers';

/** What is known of an operation after all its attempts. */
export function outcomeOf({ attempts }: Operation): Outcome {
  if (attempts.some(({ outcome }) => outcome === 'done')) return 'done';
  return attempts.at(-1)?.outcome ?? 'unknown';
}

/** Whether it may have had an effect, although it was not acknowledged. */
export const mayHaveHappened = (operation: Operation): boolean =>
  outcomeOf(operation) !== 'done' && operation.attempts.some(({ outcome }) => outcome === 'unknown');

/** The output of the first acknowledgement. */
export const outputOf = ({ attempts }: Operation): Output | undefined =>
  attempts.find(({ outcome }) => outcome === 'done')?.output;

/** When the first request was sent. */
export const beginOf = ({ attempts }: Operation): number =>
  Math.min(...attempts.map(({ from }) => from), Number.POSITIVE_INFINITY);

/** When the effect was certain: the first acknowledgement, or the end of the last request; never if that is unknown. */
export function endOf(operation: Operation): number {
  const { attempts } = operation;
  if (outcomeOf(operation) === 'unknown') return Number.POSITIVE_INFINITY;
  const done = attempts.filter(({ outcome }) => outcome === 'done').map(({ to }) => to);
  return done.length > 0 ? Math.min(...done) : (attempts.at(-1)?.to ?? Number.POSITIVE_INFINITY);
}

/** The words that commands write into texts: `w` and numbers. */
export const wordsIn = (text: string): string[] => text.match(/\bw\d+x\w+\b/g) ?? [];
