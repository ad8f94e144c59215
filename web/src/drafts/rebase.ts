/**
 * Carries over what an author typed while a text was being sent: `typed` was made from `sent` by a change in one place, which is
 * made in `merged` too. Undefined if the surroundings of the place have changed there.
 */
export function rebase(sent: string, typed: string, merged: string): string | undefined {
  let start = 0;
  while (start < sent.length && start < typed.length && sent[start] === typed[start]) start++;
  let end = 0;
  const longest = Math.min(sent.length, typed.length) - start;
  while (end < longest && sent[sent.length - 1 - end] === typed[typed.length - 1 - end]) end++;
  const [before, after] = [sent.slice(0, start), sent.slice(sent.length - end)];
  const replaced = sent.slice(start, sent.length - end);
  const inserted = typed.slice(start, typed.length - end);
  if (merged.startsWith(before + replaced)) return before + inserted + merged.slice(start + replaced.length);
  if (merged.endsWith(replaced + after)) {
    return merged.slice(0, merged.length - end - replaced.length) + inserted + after;
  }
  return undefined;
}
