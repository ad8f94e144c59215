import type { History, Operation, Violation } from '../history.ts';
import { outcomeOf } from '../history.ts';

/**
 * Each idempotency key has one effect: all acknowledgements are the same, what was acknowledged is there once, and what
 * was refused is not there.
 */
export function checkKeys(history: History): Violation[] {
  const found: Violation[] = [];
  const note = (message: string, { id }: Operation) => found.push({ law: 'keys', message, operations: [id] });
  const comments = Object.values(history.final.comments).flatMap((ofSpace) => Object.entries(ofSpace));
  const placesOf = new Map<string, string[]>();
  for (const [id, words] of [
    ...comments,
    ...Object.values(history.final.pages).flatMap((pages) => Object.entries(pages)),
  ]) {
    for (const word of words) placesOf.set(word, [...(placesOf.get(word) ?? []), id]);
  }
  const changeRequests = countBy(history, 'change_request_created', 'changeRequestId');
  const known = new Set<string>();
  for (const operation of history.operations) {
    if (operation.key === undefined) continue;
    const outputs = operation.attempts.flatMap(({ output }) => (output ? [identityOf(output)] : []));
    if (new Set(outputs).size > 1)
      note(`One key has several results: ${[...new Set(outputs)].join(' and ')}.`, operation);
    const { word } = operation.input;
    const places = word === undefined ? [] : (placesOf.get(word) ?? []);
    if (places.length > 1) note(`"${word}" is there ${places.length} times: ${places.join(', ')}.`, operation);
    const wasSurelyRefused = operation.attempts.every(({ outcome }) => outcome === 'refused');
    if (wasSurelyRefused && places.length > 0) note(`"${word}" was refused, and is in ${places[0]}.`, operation);
    const id = operation.attempts.find(({ output }) => output)?.output?.changeRequestId;
    if (operation.name === 'createChangeRequest' && id !== undefined) known.add(id);
  }
  const uncertain = history.operations.filter(
    (operation) => operation.name === 'createChangeRequest' && outcomeOf(operation) === 'unknown',
  );
  const unknown = [...changeRequests.keys()].filter((id) => !known.has(id));
  if (unknown.length > uncertain.length) {
    found.push({
      law: 'keys',
      message: `Nobody was told of the change requests ${unknown.join(', ')}.`,
      operations: uncertain.map(({ id }) => id),
    });
  }
  return found;
}

/** What the result of a command is about. Secrets are shown once, and conflicts may change. */
function identityOf({
  revisionId,
  changeRequestId,
  commentId,
  tokenId,
  result,
  pageId,
}: NonNullable<Operation['attempts'][number]['output']>) {
  const ids = { changeRequestId, commentId, tokenId, result, pageId };
  // A created change request has later revisions when the answer is read again.
  return JSON.stringify(changeRequestId === undefined && result !== 'conflicts' ? { ...ids, revisionId } : ids);
}

function countBy({ final }: History, kind: string, name: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of final.events) {
    const id = event.kind === kind ? event.ids[name] : undefined;
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
