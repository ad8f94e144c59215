/** Remaining requests of a caller. */
export interface Allowance {
  /** Maximum number of requests per minute. */
  limit: number;
  /** Remaining requests in the current minute. */
  remaining: number;
  /** Start of the next minute, in milliseconds. */
  resetAt: number;
  /** The counted request exceeds the limit. */
  isOver: boolean;
}
