import type { History, Input, Operation, Violation } from '../history.ts';
import { beginOf, endOf, outcomeOf, outputOf } from '../history.ts';
import { chainOf } from './chain.ts';
import { misfits, type Use } from './register.ts';

/**
 * Every acknowledged text is there, until an acknowledged command replaces it: in the pages of each revision that was
 * read and of the last one, and in comments.
 */
export function checkTexts(history: History): Violation[] {
  return [...checkPages(history), ...checkComments(history)];
}

/** The words of pages: the lead, which commands replace, and lines that they add. */
type Pages = Map<string, { lead: string; lines: Set<string> }>;

function checkPages(history: History): Violation[] {
  const chain = chainOf(history, history.spaceId);
  const reads = Map.groupBy(
    history.operations.filter(
      (operation) => operation.name === 'readPage' && outputOf(operation)?.pageId !== undefined,
    ),
    (operation) => outputOf(operation)?.revisionId ?? '',
  );
  const pages: Pages = new Map(
    Object.entries(history.begin.pages).map(([id, [lead = '']]) => [id, { lead, lines: new Set<string>() }]),
  );
  const begin = chain.positionOf.get(history.begin.revisionId) ?? 0;
  const found: Violation[] = [];
  const possible = editsOf(history, chain.uncertain);
  let allowed: Possible = { added: [], dropped: new Set() };
  for (const revisionId of chain.ids.slice(begin)) {
    const maker = chain.makerOf.get(revisionId);
    if (!maker && revisionId !== history.begin.revisionId) {
      // The law of heads tells of revisions that nobody made. What they changed is not known.
      if (chain.unexplained.length > chain.uncertain.length) return found;
      allowed = possible;
    }
    if (maker) apply(history, pages, maker);
    for (const read of reads.get(revisionId) ?? []) {
      const { pageId = '', words = [] } = outputOf(read) ?? {};
      found.push(...compare(`Revision ${revisionId}`, pageId, pages, allowed, words, [read.id]));
    }
  }
  const final = history.final.pages[history.spaceId] ?? {};
  for (const pageId of new Set([...pages.keys(), ...Object.keys(final)])) {
    found.push(...compare('The last revision', pageId, pages, allowed, final[pageId], []));
  }
  return found;
}

/** What operations of unknown outcome may have changed: each of it may be there or not. */
interface Possible {
  added: Input[];
  /** Lines that resolutions of conflicts replace. */
  dropped: Set<string>;
}

function editsOf(history: History, uncertain: readonly Operation[]): Possible {
  const added: Input[] = [];
  const dropped = new Set<string>();
  for (const { name, input } of uncertain) {
    if (name === 'edit') added.push(input);
    if (name !== 'merge') continue;
    for (const each of history.operations) {
      if (each.input.changeRequestId !== input.changeRequestId || outcomeOf(each) === 'refused') continue;
      if (each.name === 'editChangeRequest') added.push(each.input);
      if (each.name === 'resolve') for (const word of losing(each.input, 'ours')) dropped.add(word);
    }
  }
  return { added, dropped };
}

function compare(
  where: string,
  pageId: string,
  pages: Pages,
  { added, dropped }: Possible,
  words: string[] | undefined,
  operations: number[],
): Violation[] {
  const page = pages.get(pageId);
  const wordsOf = (edit: Input['edit']) =>
    added.flatMap((input) =>
      input.edit === edit && (edit === 'insert' || input.pageId === pageId) ? (input.word ?? []) : [],
    );
  if (!page && words?.some((word) => wordsOf('insert').includes(word))) return [];
  if (!words && added.some((input) => input.edit === 'remove' && input.pageId === pageId)) return [];
  const expected = page ? [page.lead, ...page.lines] : [];
  const leads = wordsOf('lead').filter((word) => words?.includes(word));
  const lost = expected.filter(
    (word) => !words?.includes(word) && !dropped.has(word) && (word !== page?.lead || leads.length === 0),
  );
  // A page has one lead.
  const possible = [...(words?.includes(page?.lead ?? '') ? [] : leads.slice(0, 1)), ...wordsOf('append')];
  const extra = (words ?? []).filter(
    (word, index) => !(expected.includes(word) || possible.includes(word)) || words?.indexOf(word) !== index,
  );
  const difference = [
    ...(lost.length > 0 ? [`lacks ${lost.join(', ')}`] : []),
    ...(extra.length > 0 ? [`should not have ${extra.join(', ')}`] : []),
    ...(page && !words ? ['lacks the page'] : []),
    ...(!page && words ? ['should not have the page'] : []),
  ];
  if (difference.length === 0) return [];
  return [{ law: 'texts', message: `${where} ${difference.join(', and ')}, on page ${pageId}.`, operations }];
}

function apply(history: History, pages: Pages, maker: Operation): void {
  if (maker.name === 'edit') {
    applyEdit(pages, maker);
    return;
  }
  const { changeRequestId } = maker.input;
  const ofRequest = history.operations.filter(
    (operation) => operation.input.changeRequestId === changeRequestId && outcomeOf(operation) === 'done',
  );
  const resolved = ofRequest.filter((operation) => isResolved(operation));
  const rejected = new Set(resolved.flatMap(({ input }) => losing(input, 'theirs')));
  const replaced = new Set(resolved.flatMap(({ input }) => losing(input, 'ours')));
  for (const operation of ofRequest) {
    if (operation.name !== 'editChangeRequest' || rejected.has(operation.input.word ?? '')) continue;
    applyEdit(pages, operation);
  }
  for (const { lines } of pages.values()) for (const word of replaced) lines.delete(word);
}

const isResolved = (operation: Operation): boolean =>
  operation.name === 'resolve' && outputOf(operation)?.result === 'update';

/** The words that a resolution drops if it chose `choice`: those of the other side that the chosen one lacks. */
function losing({ conflicts = [], choice }: Operation['input'], chosen: 'ours' | 'theirs'): string[] {
  if (choice !== chosen) return [];
  return conflicts.flatMap(({ ours, theirs }) =>
    chosen === 'ours' ? theirs.filter((word) => !ours.includes(word)) : ours.filter((word) => !theirs.includes(word)),
  );
}

function applyEdit(pages: Pages, operation: Operation): void {
  const { edit, word = '', pageId = '' } = operation.input;
  const page = pages.get(pageId);
  if (edit === 'insert') {
    pages.set(outputOf(operation)?.pageId ?? '', { lead: word, lines: new Set() });
  } else if (edit === 'remove') {
    pages.delete(pageId);
  } else if (edit === 'lead' && page) {
    page.lead = word;
  } else if (edit === 'append' && page) {
    page.lines.add(word);
  }
}

/** A comment is a register of its author, who changes it; null is a deleted one. */
function checkComments(history: History): Violation[] {
  const ofComment = Map.groupBy(history.operations, ({ input, name, ...operation }) =>
    name === 'postComment' ? (outputOf({ input, name, ...operation })?.commentId ?? '') : (input.commentId ?? ''),
  );
  const spaces = Object.values(history.final.comments);
  return [...ofComment].flatMap(([commentId, operations]) => {
    if (commentId === '') return [];
    const changes = operations
      .filter(({ name }) => name !== 'readComment')
      .filter((operation) => outcomeOf(operation) !== 'refused')
      .map((operation) => ({
        value: operation.name === 'deleteComment' ? null : (operation.input.word ?? ''),
        from: beginOf(operation),
        to: endOf(operation),
        operation: operation.id,
      }));
    const reads = operations.flatMap((operation): Use<string | null>[] => {
      const [attempt] = operation.attempts;
      if (operation.name !== 'readComment' || !attempt || outcomeOf(operation) === 'unknown') return [];
      const [word = null] = outputOf(operation)?.words ?? [];
      return [{ from: attempt.from, to: attempt.to, fits: (value) => value === word, operation: operation.id }];
    });
    const [word = null] = spaces.flatMap((comments) => comments[commentId] ?? []);
    const last: Use<string | null> = {
      from: Number.MAX_VALUE,
      to: Number.POSITIVE_INFINITY,
      fits: (value) => value === word,
      operation: -1,
    };
    return misfits<string | null>(null, changes, [...reads, last]).map(({ use, values }) => ({
      law: 'texts' as const,
      message: `Comment ${commentId} does not have ${values.map((value) => value ?? 'been deleted').join(' or ')}${use === last ? ' in the end' : ''}.`,
      operations: use.operation < 0 ? [] : [use.operation],
    }));
  });
}
