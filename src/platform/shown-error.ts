import type { Issue } from './errors.ts';

/** How many UTF-16 units of a message an error shows: messages quote what the caller sent, which may be megabytes. */
export const MAX_MESSAGE = 500;

/** Members and indexes that the path of a fault shows at most. */
const MAX_PATH = 50;

/** A message as an API error shows it. What goes on to look into a message looks into this one. */
export const shownMessage = (message: string): string => cut(message, MAX_MESSAGE);

/** The faults of an input as an API error shows them: names of members are the caller's, so they are cut too. */
export const shownIssues = (issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => ({
    ...issue,
    path: issue.path.slice(0, MAX_PATH).map((part) => (typeof part === 'string' ? cut(part, MAX_MESSAGE) : part)),
    message: shownMessage(issue.message),
  }));

/** The mark of what was cut counts too; the half of a surrogate pair is not left behind. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
