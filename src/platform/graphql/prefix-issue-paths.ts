import { ApiError, type Issue } from '../errors/errors.ts';

/**
 * Converts the paths of issues of BAD_USER_INPUT errors from the input of the operation to the arguments of the field.
 * Issues of other errors have no paths in the input.
 */
export async function prefixIssuePaths<Value>(
  running: Promise<Value>,
  prefixed: (path: Issue['path']) => Issue['path'],
): Promise<Value> {
  try {
    return await running;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'BAD_USER_INPUT') throw error;
    const issues = error.issues.map((issue) => ({ ...issue, path: prefixed(issue.path) }));
    throw new ApiError(error.code, error.message, issues);
  }
}
