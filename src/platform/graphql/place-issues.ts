import { ApiError, type Issue } from '../errors.ts';

/**
 * Gives the issues of a BAD_USER_INPUT the paths that the caller wrote: an operation knows the members of its input, a
 * field of the graph its arguments. Other apiErrors have issues that are no places in an input.
 */
export async function placeIssues<Value>(
  running: Promise<Value>,
  place: (path: Issue['path']) => Issue['path'],
): Promise<Value> {
  try {
    return await running;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'BAD_USER_INPUT') throw error;
    const issues = error.issues.map(({ path, message }) => ({ path: place(path), message }));
    throw new ApiError(error.code, error.message, issues);
  }
}
