import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';

/** Objects that move to another organization. */
export interface Transfer {
  spaceIds: readonly string[];
  collectionIds: readonly string[];
  from: string;
  to: string;
}

/**
 * Finds an obstacle to the transfer of one of the spaces, and returns a message for the caller with the obstacle and
 * its remedy. Null if there is none. Runs in the transaction of the transfer, which has locked the access of both
 * organizations and has locked the spaces.
 */
export type TransferPrecondition = (ctx: Context, transfer: Transfer) => Promise<string | null>;

const preconditions: TransferPrecondition[] = [];

/**
 * Adds a condition of transfers, for modules above this one. Those that it applies to fail with PRECONDITION_FAILED.
 */
export function addTransferPrecondition(precondition: TransferPrecondition): void {
  preconditions.push(precondition);
}

/** Throws PRECONDITION_FAILED if a condition is not met. */
export async function rejectUnmet(ctx: Context, transfer: Transfer): Promise<void> {
  for (const precondition of preconditions) {
    const message = await precondition(ctx, transfer);
    if (message !== null) throw preconditionFailed(message);
  }
}

export const preconditionFailed = (message: string) => new ApiError('PRECONDITION_FAILED', message);
