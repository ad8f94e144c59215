/** How many characters around a place are looked for in another version of its text. */
const SURROUNDINGS = 40;

/**
 * Finds the part of `text` from `start` to `end` in `merged`, which has the edits of others too, and returns where it
 * begins there. Undefined if its surroundings have changed.
 */
export function placeIn(merged: string, text: string, start: number, end = start): number | undefined {
  if (merged.startsWith(text.slice(0, end))) return start;
  // Within its paragraph: others may have changed the ones around it.
  const from = Math.max(text.slice(0, start).lastIndexOf('\n\n') + 1, start - SURROUNDINGS, 0);
  const next = text.indexOf('\n\n', end);
  const to = Math.min(next < 0 ? text.length : next + 1, end + SURROUNDINGS);
  const surroundings = text.slice(from, to);
  const found = merged.indexOf(surroundings);
  if (found >= 0 && merged.indexOf(surroundings, found + 1) < 0) return found + start - from;
  return merged.endsWith(text.slice(start)) ? merged.length - (text.length - start) : undefined;
}

/**
 * Carries over what an author typed while a text was being sent: `typed` was made from `sent` by a change in one place,
 * which is made in `merged` too. Undefined if the surroundings of the place have changed there.
 */
export function rebase(sent: string, typed: string, merged: string): string | undefined {
  let start = 0;
  while (start < sent.length && start < typed.length && sent[start] === typed[start]) start++;
  let end = 0;
  const longest = Math.min(sent.length, typed.length) - start;
  while (end < longest && sent[sent.length - 1 - end] === typed[typed.length - 1 - end]) end++;
  const place = placeIn(merged, sent, start, sent.length - end);
  if (place === undefined) return undefined;
  return (
    merged.slice(0, place) + typed.slice(start, typed.length - end) + merged.slice(place + sent.length - end - start)
  );
}
