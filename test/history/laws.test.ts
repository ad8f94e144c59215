import { expect, test } from 'vitest';
import type { Attempt, History, Input, LoggedEvent, Operation, Output } from './history.ts';
import { check } from './laws/index.ts';
import { misfits } from './laws/register.ts';
import { planOf, stepsOf } from './plan.ts';

const [SPACE, GUARDED, PAGE, GUEST] = ['space_a', 'space_b', 'page_1', 'user_guest'];

/** Operations one after the other, ten milliseconds each; `overlapping` ones begin with the one before. */
class Maker {
  readonly operations: Operation[] = [];
  #now = 0;

  done(name: Operation['name'], input: Input, output: Output = {}, more: Partial<Operation & Attempt> = {}): Operation {
    return this.add(name, input, { outcome: 'done', status: 200, output, ...more });
  }

  refused(name: Operation['name'], input: Input, status: number, more: Partial<Operation & Attempt> = {}): Operation {
    return this.add(name, input, { outcome: 'refused', status, ...more });
  }

  add(name: Operation['name'], input: Input, more: Partial<Operation & Attempt>): Operation {
    const { caller = 'writer0', outcome = 'done', status = 200, server = 0, output, from, to } = more;
    const id = this.operations.length;
    const begin = from ?? this.#now + 1;
    this.#now = Math.max(this.#now + 10, to ?? 0);
    const isCommand = !name.startsWith('read') && name !== 'useToken';
    const attempt: Attempt = { server, from: begin, to: to ?? this.#now, outcome, status, output };
    const operation: Operation = {
      id,
      caller,
      name,
      transport: 'rest',
      ...(isCommand && { key: `${caller} ${id}` }),
      input,
      attempts: [attempt],
    };
    this.operations.push(operation);
    return operation;
  }
}

/** What the history of two edits, a merge, comments, roles and tokens is, without a fault. */
function goodHistory(): History {
  const maker = new Maker();
  const inSpace = { spaceId: SPACE };
  const append = { ...inSpace, edit: 'append' as const, pageId: PAGE, word: 'w0xa' };
  maker.done('edit', append, { revisionId: 'rev_1', pageId: PAGE });
  maker.done('readHead', inSpace, { revisionId: 'rev_1', version: 'v1' });
  const lead = { ...inSpace, edit: 'lead' as const, pageId: PAGE, word: 'w2xa', replaces: 'w0xbegin' };
  maker.done('edit', lead, { revisionId: 'rev_2', pageId: PAGE });
  maker.done('readPage', { ...inSpace, pageId: PAGE }, { revisionId: 'rev_2', pageId: PAGE, words: ['w2xa', 'w0xa'] });
  maker.done('createChangeRequest', { ...inSpace, word: 'w4xr' }, { changeRequestId: 'cr_1' });
  const ofRequest = { ...inSpace, changeRequestId: 'cr_1' };
  const inserted = { ...ofRequest, edit: 'insert' as const, word: 'w5xr' };
  maker.done('editChangeRequest', inserted, { revisionId: 'rev_c', pageId: 'page_2' });
  maker.done('merge', ofRequest, { revisionId: 'rev_3', result: 'merge' });
  maker.done('postComment', { ...inSpace, word: 'w7xc' }, { commentId: 'comment_1', words: ['w7xc'] });
  const ofComment = { ...inSpace, commentId: 'comment_1' };
  maker.done('updateComment', { ...ofComment, word: 'w8xc' }, { commentId: 'comment_1', words: ['w8xc'] });
  maker.done('readComment', ofComment, { commentId: 'comment_1', words: ['w8xc'] });
  const ofGuest = { spaceId: GUARDED, userId: GUEST };
  const guest = { caller: 'guest0' };
  maker.refused('readSpace', { spaceId: GUARDED }, 404, guest);
  maker.done('setGrant', { ...ofGuest, role: 'read' });
  maker.done('readSpace', { spaceId: GUARDED }, { revisionId: 'rev_b' }, guest);
  maker.refused('postComment', { spaceId: GUARDED, word: 'w13xg' }, 403, guest);
  maker.done('setGrant', { ...ofGuest, role: null });
  maker.refused('readSpace', { spaceId: GUARDED }, 404, guest);
  maker.done('createToken', { label: 'w16xo' }, { tokenId: 'token_1' });
  maker.done('useToken', { tokenId: 'token_1' });
  maker.done('revokeToken', { tokenId: 'token_1' });
  maker.refused('useToken', { tokenId: 'token_1' }, 401);
  const events = [
    event('space_created', {}),
    edited('rev_1', 'rev_0'),
    edited('rev_2', 'rev_1'),
    event('change_request_created', { changeRequestId: 'cr_1' }),
    event('change_request_content_updated', { changeRequestId: 'cr_1', revisionId: 'rev_c' }),
    event('change_request_merged', { changeRequestId: 'cr_1' }),
    edited('rev_3', 'rev_2'),
    event('comment_posted', { commentId: 'comment_1' }),
    event('comment_updated', { commentId: 'comment_1' }),
    event('permission_granted', { userId: GUEST }),
    event('permission_revoked', { userId: GUEST }),
  ].map((each, index) => ({ ...each, id: `event_${index}` }));
  const received = events.slice(1).map(({ id }) => id);
  return {
    seed: 1,
    spaceId: SPACE,
    guardedSpaceId: GUARDED,
    begin: { revisionId: 'rev_0', pages: { [PAGE]: ['w0xbegin'] } },
    guests: [{ userId: GUEST, caller: 'guest0', by: 'setGrant' }],
    operations: maker.operations,
    followed: [
      { name: 'list', received: [...received], resumed: 2 },
      { name: 'stream', received: [...received], resumed: 1 },
    ],
    faults: [],
    final: {
      revisions: {
        [SPACE]: [
          { id: 'rev_3', parentId: 'rev_2' },
          { id: 'rev_2', parentId: 'rev_1' },
          { id: 'rev_1', parentId: 'rev_0' },
          { id: 'rev_0', parentId: undefined },
        ],
        [GUARDED]: [
          { id: 'rev_b', parentId: 'rev_a' },
          { id: 'rev_a', parentId: undefined },
        ],
      },
      pages: { [SPACE]: { [PAGE]: ['w2xa', 'w0xa'], page_2: ['w5xr'] }, [GUARDED]: {} },
      comments: { [SPACE]: { comment_1: ['w8xc'] }, [GUARDED]: {} },
      events,
    },
  };
}

const event = (kind: string, ids: Record<string, string>): LoggedEvent => ({ id: '', kind, spaceId: SPACE, ids });
const edited = (revisionId: string, previousRevisionId: string) =>
  event('space_content_updated', { revisionId, previousRevisionId });

/** The laws that a history breaks, after a change of the good one. */
function brokenBy(change: (history: History, operation: (id: number) => Operation) => void): string[] {
  const history = structuredClone(goodHistory());
  change(history, (id) => history.operations[id] as Operation);
  return [...new Set(check(history).map(({ law }) => law))];
}

const attemptOf = (operation: Operation): Attempt => operation.attempts[0] as Attempt;
const dropFrom = (history: History, index: number) => {
  const [dropped] = history.final.events.splice(index, 1);
  for (const { received } of history.followed) received.splice(received.indexOf(dropped?.id ?? ''), 1);
};

test('a history without faults breaks no law', () => {
  expect(check(goodHistory())).toEqual([]);
});

test('heads: two edits of one revision, a fork, a lost revision and an old head are found', () => {
  const two = brokenBy((_history, operation) => {
    attemptOf(operation(2)).output = { revisionId: 'rev_1', pageId: PAGE };
  });
  expect(two).toContain('heads');
  const fork = brokenBy(({ final }) => {
    const [newest] = final.revisions[SPACE] ?? [];
    if (newest) newest.parentId = 'rev_1';
  });
  expect(fork).toEqual(['heads']);
  const forkedEvents = brokenBy(({ final }) => {
    (final.events[6] as LoggedEvent).ids.previousRevisionId = 'rev_1';
  });
  expect(forkedEvents).toEqual(['heads']);
  const lost = brokenBy(({ final }) => {
    final.revisions[SPACE] = (final.revisions[SPACE] ?? []).filter(({ id }) => id !== 'rev_2');
  });
  expect(lost).toContain('heads');
  const old = brokenBy((_history, operation) => {
    attemptOf(operation(1)).output = { revisionId: 'rev_0', version: 'v1' };
  });
  expect(old).toEqual(['heads']);
  const early = brokenBy((_history, operation) => {
    attemptOf(operation(1)).output = { revisionId: 'rev_3', version: 'v1' };
  });
  expect(early).toEqual(['heads']);
});

test('heads: an edit that expected a version replaces the head that was read with it', () => {
  const expecting = (revisionId: string) =>
    brokenBy((_history, operation) => {
      operation(2).input.expected = { version: 'v1', revisionId };
    });
  expect(expecting('rev_1')).toEqual([]);
  expect(expecting('rev_0')).toEqual(['heads']);
});

test('heads: reads that overlap an edit may see either head', () => {
  const overlapping = brokenBy((_history, operation) => {
    Object.assign(attemptOf(operation(1)), { from: 1, output: { revisionId: 'rev_0', version: 'v0' } });
  });
  expect(overlapping).toEqual([]);
});

test('keys: several results, a second effect and an effect of a refused command are found', () => {
  const results = brokenBy((_history, operation) => {
    operation(7).attempts.push({ ...attemptOf(operation(7)), output: { commentId: 'comment_2', words: ['w7xc'] } });
  });
  expect(results).toContain('keys');
  const doubled = brokenBy(({ final }) => {
    final.comments[SPACE] = { comment_1: ['w8xc'], comment_2: ['w8xc'] };
  });
  expect(doubled).toEqual(['keys']);
  const refused = brokenBy(({ final }) => {
    final.comments[GUARDED] = { comment_3: ['w13xg'] };
  });
  expect(refused).toEqual(['keys']);
});

test('keys: a repetition after a broken connection has one effect', () => {
  const repeated = brokenBy((_history, operation) => {
    const done = attemptOf(operation(7));
    operation(7).attempts.unshift({ ...done, outcome: 'unknown', status: 0, output: undefined });
  });
  expect(repeated).toEqual([]);
});

test('events: one that is missing, doubled, of nobody or before an earlier one is found', () => {
  expect(brokenBy((history) => dropFrom(history, 7))).toEqual(['events']);
  expect(brokenBy((history) => dropFrom(history, 8))).toEqual(['events']);
  expect(brokenBy((history) => dropFrom(history, 9))).toEqual(['events']);
  const doubled = brokenBy(({ final, followed }) => {
    final.events.push({ ...(final.events[7] as LoggedEvent), id: 'event_11' });
    for (const { received } of followed) received.push('event_11');
  });
  expect(doubled).toEqual(['events']);
  const ofNobody = brokenBy(({ final, followed }) => {
    final.events.push({ ...event('comment_posted', { commentId: 'comment_9' }), id: 'event_11' });
    for (const { received } of followed) received.push('event_11');
  });
  expect(ofNobody).toEqual(['events']);
  const exchanged = brokenBy(({ final, followed }) => {
    const [first, second] = [final.events[1], final.events[2]] as [LoggedEvent, LoggedEvent];
    final.events.splice(1, 2, second, first);
    for (const { received } of followed) received.splice(0, 2, second.id, first.id);
  });
  expect(exchanged).toEqual(['events']);
});

test('cursors: a reader that repeats, skips or misses the end is found', () => {
  const repeats = brokenBy(({ followed }) => void followed[0]?.received.splice(2, 0, 'event_2'));
  const skips = brokenBy(({ followed }) => void followed[1]?.received.splice(2, 1));
  const ends = brokenBy(({ followed }) => void followed[1]?.received.pop());
  expect([repeats, skips, ends]).toEqual([['cursors'], ['cursors'], ['cursors']]);
});

test('texts: a line that is lost, or is there although it was replaced, is found', () => {
  const pages = (words: string[]) =>
    brokenBy(({ final }) => {
      final.pages[SPACE] = { [PAGE]: words, page_2: ['w5xr'] };
    });
  expect(pages(['w2xa'])).toEqual(['texts']);
  expect(pages(['w0xbegin', 'w0xa'])).toEqual(['texts']);
  expect(pages(['w2xa', 'w0xa', 'w0xa'])).toContain('texts');
  const read = brokenBy((_history, operation) => {
    attemptOf(operation(3)).output = { revisionId: 'rev_2', pageId: PAGE, words: ['w2xa'] };
  });
  expect(read).toEqual(['texts']);
  const comment = brokenBy(({ final }) => {
    final.comments[SPACE] = { comment_1: ['w7xc'] };
  });
  expect(comment).toEqual(['texts']);
});

test('texts: after a revision of an edit that was perhaps made, its word may be there, and all others must', () => {
  const uncertain = (words: string[]) =>
    brokenBy((history, operation) => {
      const { from, to, server } = attemptOf(operation(2));
      const unknown = { from, to, server, outcome: 'unknown' as const, status: 0 };
      operation(2).attempts = [unknown, { ...unknown, outcome: 'refused', status: 409 }];
      history.final.pages[SPACE] = { [PAGE]: words, page_2: ['w5xr'] };
    });
  expect(uncertain(['w2xa', 'w0xa'])).toEqual([]);
  expect(uncertain(['w2xa'])).toEqual(['texts']);
  expect(uncertain(['w0xa'])).toEqual(['texts']);
  expect(uncertain(['w0xbegin', 'w2xa', 'w0xa'])).toEqual(['texts']);
  const before = brokenBy((history, operation) => {
    operation(6).attempts = [{ ...attemptOf(operation(6)), outcome: 'unknown', status: 503, output: undefined }];
    history.final.pages[SPACE] = { [PAGE]: ['w2xa', 'w0xa'] };
  });
  expect(before).toEqual(['answers']);
});

test('texts: a resolved conflict keeps the chosen side', () => {
  const resolved = (choice: 'ours' | 'theirs', words: string[]) =>
    brokenBy((history, operation) => {
      const input = operation(5).input;
      Object.assign(input, { edit: 'lead', pageId: PAGE });
      attemptOf(operation(5)).output = { revisionId: 'rev_c', pageId: PAGE };
      const conflicts = [{ id: 'c', ours: ['w5xr'], theirs: ['w2xa'] }];
      // Its times are between the edit and the merge.
      const attempt = { ...attemptOf(operation(5)), output: { revisionId: 'rev_d', result: 'update' as const } };
      const resolution = { spaceId: SPACE, changeRequestId: 'cr_1', choice, conflicts };
      history.operations.push({ ...operation(5), id: 20, name: 'resolve', input: resolution, attempts: [attempt] });
      history.final.pages[SPACE] = { [PAGE]: words };
    });
  expect(resolved('ours', ['w5xr', 'w0xa'])).toEqual([]);
  expect(resolved('theirs', ['w2xa', 'w0xa'])).toEqual([]);
  expect(resolved('ours', ['w2xa', 'w0xa'])).toEqual(['texts']);
  expect(resolved('theirs', ['w5xr', 'w0xa'])).toEqual(['texts']);
});

test('permissions: use after a revocation, and refusal after a grant, are found', () => {
  const allowedBefore = brokenBy((_history, operation) => {
    Object.assign(attemptOf(operation(10)), { outcome: 'done', status: 200, output: { revisionId: 'rev_b' } });
  });
  expect(allowedBefore).toEqual(['permissions']);
  const allowedAfter = brokenBy((_history, operation) => {
    Object.assign(attemptOf(operation(15)), { outcome: 'done', status: 200, output: { revisionId: 'rev_b' } });
  });
  expect(allowedAfter).toEqual(['permissions']);
  const denied = brokenBy((_history, operation) => {
    Object.assign(attemptOf(operation(12)), { outcome: 'refused', status: 404, output: undefined });
  });
  expect(denied).toEqual(['permissions']);
});

test('permissions: a revoked token is refused at once by the process that revoked it, and by all after five seconds', () => {
  const used = (server: number, laterMs: number) =>
    brokenBy((_history, operation) => {
      const attempt = attemptOf(operation(19));
      const { from, to } = attempt;
      Object.assign(attempt, { outcome: 'done', status: 200, server, from: from + laterMs, to: to + laterMs });
    });
  expect(used(0, 0)).toEqual(['permissions']);
  expect(used(1, 0)).toEqual([]);
  expect(used(1, 6_000)).toEqual(['permissions']);
});

test('answers: internal errors, answers that cannot be read, and commands that are never settled are found', () => {
  const unreadable = brokenBy((_history, operation) => {
    Object.assign(attemptOf(operation(1)), { outcome: 'unknown', output: undefined, unreadable: 'GET /: {}' });
  });
  expect(unreadable).toEqual(['answers']);
  const internal = brokenBy((_history, operation) => {
    Object.assign(attemptOf(operation(13)), { status: 500 });
  });
  expect(internal).toEqual(['answers']);
  const unsettled = brokenBy((_history, operation) => {
    Object.assign(attemptOf(operation(13)), { outcome: 'unknown', status: 503 });
  });
  expect(unsettled).toEqual(['answers']);
});

test('a register shows no older value than it has shown before', () => {
  const change = { value: 'new', from: 0, to: 100, operation: 0 };
  const use = (value: string, from: number, to: number) => ({
    from,
    to,
    fits: (each: string) => each === value,
    operation: 1,
  });
  expect(misfits('old', [change], [use('old', 10, 20), use('new', 30, 40)])).toEqual([]);
  expect(misfits('old', [change], [use('new', 10, 20), use('old', 30, 40)])).toHaveLength(1);
  expect(misfits('old', [change], [use('old', 110, 120)])).toHaveLength(1);
  expect(misfits('old', [change], [use('new', 10, 35), use('old', 30, 40)])).toEqual([]);
});

test('a seed is one plan: of at least 8 callers, 500 steps and 5 faults', () => {
  const plan = planOf(17, { servers: 2 });
  expect(planOf(17, { servers: 2 })).toEqual(plan);
  expect(planOf(18, { servers: 2 })).not.toEqual(plan);
  const callers = plan.writers.length + plan.reviewers.length + plan.commenters.length + plan.guests.length + 2;
  expect(callers).toBeGreaterThanOrEqual(8);
  // A change request is several operations.
  expect(stepsOf(plan)).toBeGreaterThanOrEqual(490);
  expect(plan.faults).toHaveLength(5);
});
