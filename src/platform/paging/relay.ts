import { badInput } from '../errors/errors.ts';
import type { Paging } from './page.ts';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_CONNECTION_SIZE = 100;

/** The arguments of a connection (GraphQL Cursor Connections Specification, "Arguments"). */
export interface ConnectionArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** Converts the arguments of a connection. BAD_USER_INPUT unless they request 1 to 100 items in one direction. */
export function relayPaging({ first, after, last, before }: ConnectionArgs): Paging {
  const isBackward = last != null || before != null;
  if (isBackward && (first != null || after != null)) {
    throw badInput(
      [first != null ? 'first' : 'after'],
      'Use either "first" and "after", or "last" and "before".',
      'ONE_OF',
    );
  }
  const name = isBackward ? 'last' : 'first';
  const size = (isBackward ? last : first) ?? DEFAULT_PAGE_SIZE;
  if (!Number.isInteger(size) || size < 1 || size > MAX_CONNECTION_SIZE) {
    throw badInput([name], `must be 1 to ${MAX_CONNECTION_SIZE}, not ${size}.`, size < 1 ? 'TOO_SMALL' : 'TOO_LARGE');
  }
  return { size, direction: isBackward ? 'backward' : 'forward', cursor: (isBackward ? before : after) ?? undefined };
}
