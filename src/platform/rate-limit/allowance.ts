/** What somebody may still ask for. */
export interface Allowance {
  /** Requests per minute. */
  limit: number;
  /** Requests left in this minute. */
  remaining: number;
  /** When the next minute begins, in milliseconds. */
  resetAt: number;
  /** The request that was to be counted is one too many. */
  isOver: boolean;
}
