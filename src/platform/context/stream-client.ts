import type { Context } from './context.ts';

/** Memory for one response. It is released when the response is sent or the client disconnects. */
export interface ReservedMemory {
  /** Reserves more bytes. Throws SERVICE_UNAVAILABLE if they do not fit, or the client has disconnected. */
  grow(bytes: number): void;
  /** Releases all bytes before the end. */
  release(): void;
}

/** The client of an event stream. */
export interface StreamClient {
  /** A new context with a newly authenticated actor. Throws if the token or session is no longer valid. */
  renew(): Promise<Context>;
  /** Key for counting streams: the user or the client address. */
  readonly account: string;
  /** Size of the request's body, which stays in memory as long as the stream. */
  readonly bodyBytes: number;
  /** Runs a part of the stream's work. Its statements count for the account, and are cancelled when the stream ends. */
  run<Result>(act: () => Result): Result;
  /** Memory for what is sent and not yet received. */
  readonly reserved: ReservedMemory;
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal;
  /** Aborted when the client disconnects or the service stops. */
  readonly signal: AbortSignal;
  /** Id of the last event that the client received. */
  readonly lastEventId?: string;
  /** Resolved by `begin`. Every event recorded after it is delivered. */
  readonly begun: Promise<void>;
  begin(): void;
}
