import { setTimeout as sleep } from 'node:timers/promises';
import { actingIdOf } from '../access/actor.ts';
import type { Context } from '../context/context.ts';
import { requestSlot } from '../reads/request-slot.ts';
import type { CostAllowance } from './cost-allowance.ts';

/** Operations up to this cost run even if the caller has used up the allowance. They take less than a millisecond. */
const CHEAP = 100;
/** Operations above this cost (about a millisecond of processor time) take slots (`makeQuerySlots`). */
const SHORT = 300;
/** Operations above this cost (about 40 ms of processor time) take turns with each other. */
const EXPENSIVE = 10_000;

/**
 * Charges one operation to its caller, and delays or rejects it if it is expensive. Cheap operations are never delayed
 * or rejected.
 */
class Admission {
  readonly #ctx: Context;
  readonly #allowance: CostAllowance | undefined;
  readonly #account: string;
  #cost = 0;
  #isChecked = false;
  #isExpensive = false;
  #slot: Promise<Disposable> | undefined;
  #isWaiting = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#allowance = ctx.services.costs;
    this.#account = chargedAccount(ctx);
  }

  /**
   * Adds a cost, before the work is done. Throws RATE_LIMITED if the caller has used up the allowance or has too many
   * operations waiting. The promise resolves when the operation has a slot; undefined if it has one, or needs none.
   */
  add(cost: number): Promise<unknown> | undefined {
    this.#cost += cost;
    if (!this.#isChecked && this.#cost > CHEAP) {
      this.#allowance?.rejectExhausted(this.#account);
      this.#isChecked = true;
    }
    this.#allowance?.charge(this.#account, cost);
    const { heavyWork, slots } = this.#ctx.services;
    if (this.#cost > EXPENSIVE && !this.#isExpensive) {
      this.#isExpensive = true;
      this.end(); // what waits for a slot of heavy work gives back the one of queries
      this.#waitFor(heavyWork.begin('query', { ctx: this.#ctx, organizationId: undefined }));
    } else if (this.#cost > SHORT && !this.#slot) {
      this.#waitFor(slots.take(this.#account, this.#ctx.deadline?.signal));
    }
    return this.#isWaiting ? this.#slot : undefined;
  }

  #waitFor(slot: Promise<Disposable>): void {
    this.#slot = slot;
    this.#isWaiting = true;
    const begin = () => {
      if (this.#slot === slot) this.#isWaiting = false;
    };
    slot.then(begin, () => {});
  }

  /** Gives the slot of the operation back. */
  end(): void {
    this.#slot?.then(
      (slot) => slot[Symbol.dispose](),
      () => {},
    );
  }
}

const chargedAccount = ({ actor, address }: Context): string => actingIdOf(actor) ?? address ?? 'service';

/**
 * Charges work that no request asks for, such as that of event streams, to the caller. No limit of requests bounds it:
 * even cheap work waits while the caller has used up the allowance. Rejects when `signal` is aborted.
 */
export async function chargeWhenAllowed(ctx: Context, cost: number, signal: AbortSignal): Promise<void> {
  const { costs } = ctx.services;
  if (!costs) return;
  const account = chargedAccount(ctx);
  for (let seconds = costs.secondsToWait(account); seconds > 0; seconds = costs.secondsToWait(account)) {
    await sleep(seconds * 1_000, undefined, { signal });
  }
  costs.charge(account, cost);
}

/** Each operation has its own context. */
const admissions = requestSlot<Context, Admission>('admission');

/** Runs an operation whose cost before execution is known. What it finds out later is added by `chargeAdmitted`. */
export async function runAdmitted<Result>(ctx: Context, cost: number, run: () => Promise<Result>): Promise<Result> {
  const admission = new Admission(ctx);
  admissions.set(ctx, admission);
  try {
    const slot = admission.add(cost);
    if (slot) await slot;
    return await run();
  } finally {
    admission.end();
  }
}

/**
 * Adds a cost to the running operation of a context (`Admission.add`). Operations outside of `runAdmitted` are not
 * charged.
 */
export const chargeAdmitted = (ctx: Context, cost: number): Promise<unknown> | undefined =>
  admissions.get(ctx)?.add(cost);
