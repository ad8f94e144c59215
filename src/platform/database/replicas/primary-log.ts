import type { History, Position, PrimaryState } from './position.ts';

/** Number of positions that are remembered. */
const MAX_SAMPLES = 1_000;

interface Sample {
  position: Position;
  /** The last moment when the primary is known to have been at the position. */
  at: number;
}

/** The positions of the primary at moments of this process, which tell how old the state of a replica is. */
export class PrimaryLog {
  #history: History | undefined;
  #samples: Sample[] = [];

  /** The history of the latest sample. */
  get history(): History | undefined {
    return this.#history;
  }

  /** Adds the state of the primary at a moment. Positions of another history are forgotten. */
  add({ position, ...history }: PrimaryState, at: number): void {
    const { system, timeline } = this.#history ?? history;
    if (system !== history.system || timeline !== history.timeline) this.#samples = [];
    this.#history = history;
    const last = this.#samples.at(-1);
    // While nothing is written, the position stays the same, and a replica that has replayed it lacks nothing.
    if (last && last.position >= position) last.at = at;
    else this.#samples.push({ position, at });
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
  }

  /**
   * The last moment whose transactions are all contained in a position; undefined if it is longer ago than what is
   * known.
   */
  momentOf(position: Position): number | undefined {
    return this.#samples.findLast((sample) => sample.position <= position)?.at;
  }
}
