import { type Issue, Refusal } from '../errors.ts';

/**
 * Gives the issues of a BAD_USER_INPUT the paths that the caller wrote: an operation knows the members of its input, a
 * field of the graph its arguments. Other refusals have issues that are no places in an input.
 */
export async function placeIssues<Value>(
  running: Promise<Value>,
  place: (path: Issue['path']) => Issue['path'],
): Promise<Value> {
  try {
    return await running;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'BAD_USER_INPUT') throw error;
    const issues = error.issues.map(({ path, message }) => ({ path: place(path), message }));
    throw new Refusal(error.code, error.message, issues);
  }
}
