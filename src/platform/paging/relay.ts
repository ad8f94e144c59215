import { badInput } from '../errors/errors.ts';
import type { Paging } from './page.ts';

export const DEFAULT_PAGE_SIZE = 50;
/** Maximum number of items of a page, unless a connection has its own. */
export const MAX_CONNECTION_SIZE = 100;

/** Descriptions of the arguments with the number of items. */
export const sizeDescriptions = (maxSize: number) => ({
  first: `Number of items from the start, 1 to ${maxSize}. Default ${DEFAULT_PAGE_SIZE}.`,
  last: `Number of items from the end, 1 to ${maxSize}. Cannot be combined with \`first\`.`,
});

/** The arguments of a connection (GraphQL Cursor Connections Specification, "Arguments"). */
export interface ConnectionArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** Converts the arguments of a connection. BAD_USER_INPUT unless they request 1 to `maxSize` items in one direction. */
export function relayPaging(
  { first, after, last, before }: ConnectionArgs,
  maxSize: number = MAX_CONNECTION_SIZE,
): Paging {
  const isBackward = last != null || before != null;
  if (isBackward && (first != null || after != null)) {
    throw badInput([first != null ? 'first' : 'after'], 'Use either "first" and "after", or "last" and "before".');
  }
  const name = isBackward ? 'last' : 'first';
  const size = (isBackward ? last : first) ?? DEFAULT_PAGE_SIZE;
  if (!Number.isInteger(size) || size < 1 || size > maxSize) {
    throw badInput([name], `must be 1 to ${maxSize}, not ${size}.`);
  }
  return { size, direction: isBackward ? 'backward' : 'forward', cursor: (isBackward ? before : after) ?? undefined };
}
