import { setTimeout as sleep } from 'node:timers/promises';
import { Caller, type Recorder } from './caller.ts';
import { type Input, type Operation, outcomeOf, outputOf, type SpaceRole } from './history.ts';
import type { CommenterStep, GuestStep, KeeperStep, OwnerStep, Plan, ReviewerStep, WriterStep } from './plan.ts';
import type { Person, Scene } from './scene.ts';

/** What writers know of the pages of their space. Others may know better. */
interface KnownPage {
  id: string;
  lead: string;
  /** The writer that may remove it; nobody removes the first ones. */
  owner?: string;
}

interface Shared {
  scene: Scene;
  recorder: Recorder;
  pages: KnownPage[];
  comments: string[];
}

/**
 * Runs all callers of a plan to their ends. If one fails, or gives a command up, the others end after their request.
 */
export async function runCallers(plan: Plan, scene: Scene, recorder: Recorder): Promise<void> {
  const shared: Shared = {
    scene,
    recorder,
    pages: Object.entries(scene.begin.pages).map(([id, [lead = '']]) => ({ id, lead })),
    comments: [],
  };
  const people = scene.editors.values();
  const next = (name: string, person: Person | undefined = people.next().value) => {
    if (person === undefined) throw new Error('The scene has too few people.');
    return new Caller(name, person, recorder);
  };
  const each = async <Step extends { pauseMs: number }>(
    steps: readonly Step[],
    take: (step: Step) => Promise<void>,
  ) => {
    for (const step of steps) {
      if (recorder.giveUp.signal.aborted) return;
      if (step.pauseMs > 0) await sleep(step.pauseMs);
      await take(step);
      recorder.stepTaken();
    }
  };
  const writers = plan.writers.map((steps, index) => {
    const take = writer(next(`writer${index}`), shared);
    return each(steps, take);
  });
  const reviewers = plan.reviewers.map((steps, index) => {
    const take = reviewer(next(`reviewer${index}`), shared);
    return each(steps, take);
  });
  const commenters = plan.commenters.map((steps, index) => {
    const take = commenter(next(`commenter${index}`), shared);
    return each(steps, take);
  });
  const guests = plan.guests.map((steps, index) => {
    const take = guest(next(`guest${index}`, scene.guests[index]), shared);
    return each(steps, take);
  });
  const keeper = each(plan.keeper, keep(next('keeper', scene.admin), shared));
  const owner = each(plan.owner, own(next('owner')));
  const running = [...writers, ...reviewers, ...commenters, ...guests, keeper, owner];
  const ended = await Promise.allSettled(
    running.map((caller) =>
      caller.catch((error: unknown) => {
        recorder.giveUp.abort();
        throw error;
      }),
    ),
  );
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

const pick = <Item>(items: readonly Item[], dice: number): Item | undefined => items[Math.floor(dice * items.length)];

function writer(caller: Caller, { scene: { spaceId }, pages }: Shared) {
  let seen: string | undefined;
  const edit = async (step: WriterStep, kind: NonNullable<Input['edit']>, more: Partial<Input> = {}) => {
    const own = pages.filter(({ owner }) => owner === caller.name);
    const page = pick(kind === 'remove' ? own : pages, step.dice);
    if (kind !== 'insert' && page === undefined) return undefined;
    const word = caller.newWord();
    const { transport, server, isDoubled } = step;
    const operation = await caller.ask({
      name: 'edit',
      transport,
      server,
      isDoubled,
      input: {
        spaceId,
        edit: kind,
        ...(kind !== 'insert' && { pageId: page?.id }),
        ...(kind !== 'move' && kind !== 'remove' && { word }),
        ...(kind === 'lead' && { replaces: page?.lead }),
        ...(kind === 'move' && { position: Math.floor(step.dice * 100) % 5 }),
        ...more,
      },
    });
    const output = outputOf(operation);
    seen = output?.revisionId ?? seen;
    if (output && kind === 'insert' && output.pageId !== undefined) {
      pages.push({ id: output.pageId, lead: word, owner: caller.name });
    }
    if (output && kind === 'lead' && page) page.lead = word;
    if (output && kind === 'remove') pages.splice(pages.indexOf(page as KnownPage), 1);
    return operation;
  };
  return async (step: WriterStep): Promise<void> => {
    const { transport, server } = step;
    if (step.does === 'edit') {
      await edit(step, step.edit);
    } else if (step.does === 'editExpecting') {
      const read = await caller.ask({ name: 'readHead', transport, server, input: { spaceId } });
      const { version, revisionId } = outputOf(read) ?? {};
      if (version === undefined || revisionId === undefined) return;
      // The versions of the two transports have different forms.
      await edit(step, 'append', { expected: { version, revisionId } });
    } else if (step.does === 'editOnBase') {
      const before = seen;
      await caller.ask({ name: 'readHead', transport, server, input: { spaceId } });
      if (before !== undefined) await edit(step, 'append', { baseRevisionId: before });
    } else {
      const read = await caller.ask({ name: 'readHead', transport, server, input: { spaceId } });
      const { revisionId } = outputOf(read) ?? {};
      if (step.does === 'readHead' || revisionId === undefined) return;
      const page = pick(pages, step.dice);
      if (page) await readPage(caller, step, { spaceId, pageId: page.id, revisionId }, page);
    }
  };
}

/** Reads a page, and what its lead is now. */
async function readPage(
  caller: Caller,
  { transport, server }: Pick<WriterStep, 'transport' | 'server'>,
  input: Input,
  page: KnownPage,
): Promise<Operation> {
  const read = await caller.ask({ name: 'readPage', transport, server, input });
  page.lead = outputOf(read)?.words?.[0] ?? page.lead;
  return read;
}

function reviewer(caller: Caller, { scene: { spaceId, begin }, pages }: Shared) {
  const lasting = Object.keys(begin.pages);
  return async ({ transport, server, isDoubled, dice, edits, choice }: ReviewerStep): Promise<void> => {
    const ask = async (name: Operation['name'], input: Input) =>
      outputOf(await caller.ask({ name: name as 'merge', transport, server, isDoubled, input }));
    const created = await ask('createChangeRequest', { spaceId, word: caller.newWord() });
    if (created?.changeRequestId === undefined) return;
    const { changeRequestId } = created;
    for (const [index, edit] of edits.entries()) {
      const page = pages.find(({ id }) => id === lasting[(Math.floor(dice * 100) + index) % lasting.length]);
      await ask('editChangeRequest', {
        spaceId,
        changeRequestId,
        edit,
        word: caller.newWord(),
        ...(edit !== 'insert' && { pageId: page?.id }),
        ...(edit === 'lead' && { replaces: page?.lead }),
      });
    }
    for (let attempts = 0; attempts < 3; attempts++) {
      const merged = await ask('merge', { spaceId, changeRequestId });
      if (merged?.result !== 'conflicts') {
        await learn(caller, { transport, server }, { spaceId, revisionId: merged?.revisionId }, pages);
        return;
      }
      await ask('resolve', { spaceId, changeRequestId, choice, conflicts: merged.conflicts });
    }
  };
}

/** Reads one of the pages that change requests edit, so that callers know its lead. */
async function learn(
  caller: Caller,
  step: Pick<WriterStep, 'transport' | 'server'>,
  input: Input,
  pages: KnownPage[],
): Promise<void> {
  for (const page of pages.slice(0, 4)) await readPage(caller, step, { ...input, pageId: page.id }, page);
}

function commenter(caller: Caller, { scene: { spaceId }, comments }: Shared) {
  const own: string[] = [];
  return async ({ transport, server, isDoubled, dice, does }: CommenterStep): Promise<void> => {
    const common = { transport, server, isDoubled };
    const commentId = pick(does === 'read' ? comments : own, dice);
    if (does === 'post' || commentId === undefined) {
      const word = caller.newWord();
      const posted = outputOf(await caller.ask({ name: 'postComment', ...common, input: { spaceId, word } }));
      if (posted?.commentId === undefined) return;
      own.push(posted.commentId);
      comments.push(posted.commentId);
    } else if (does === 'read') {
      await caller.ask({ name: 'readComment', ...common, input: { spaceId, commentId } });
    } else if (does === 'update') {
      await caller.ask({ name: 'updateComment', ...common, input: { spaceId, commentId, word: caller.newWord() } });
    } else {
      await caller.ask({ name: 'deleteComment', ...common, input: { spaceId, commentId } });
      own.splice(own.indexOf(commentId), 1);
    }
  };
}

function keep(caller: Caller, { scene: { guardedSpaceId, guests } }: Shared) {
  const roles: SpaceRole[] = [null, null];
  return async ({ transport, server, isDoubled, dice, guest: index, role }: KeeperStep): Promise<void> => {
    if (roles[index] === role) return;
    roles[index] = role;
    const { userId } = guests[index] as Person;
    const common = { transport, server, isDoubled };
    // One guest has roles by grants, the other as a member.
    if (index === 0) {
      const position = dice < 0.5 ? 0 : 1;
      await caller.ask({ name: 'setGrant', ...common, input: { spaceId: guardedSpaceId, userId, role, position } });
    } else {
      await caller.ask({ name: 'setMember', ...common, input: { userId, role } });
    }
  };
}

function guest(caller: Caller, { scene: { guardedSpaceId: spaceId } }: Shared) {
  return async ({ transport, server, isDoubled, does }: GuestStep): Promise<void> => {
    const common = { transport, server, isDoubled };
    if (does === 'read') {
      await caller.ask({ name: 'readSpace', ...common, input: { spaceId } });
    } else if (does === 'comment') {
      await caller.ask({ name: 'postComment', ...common, input: { spaceId, word: caller.newWord() } });
    } else {
      await caller.ask({ name: 'edit', ...common, input: { spaceId, edit: 'insert', word: caller.newWord() } });
    }
  };
}

/** Creates tokens, uses them, and also after they were revoked. */
function own(caller: Caller) {
  const tokens: { tokenId: string; secret: string }[] = [];
  const revoked: { tokenId: string; secret: string }[] = [];
  return async ({ transport, server, isDoubled, dice, does }: OwnerStep): Promise<void> => {
    const common = { transport, server, isDoubled };
    if (does === 'create' || tokens.length === 0) {
      const label = caller.newWord();
      const operation = await caller.ask({ name: 'createToken', ...common, input: { label } });
      // The secret is shown once: it is lost if that answer was.
      const shown = operation.attempts.find(({ output }) => output?.secret !== undefined)?.output;
      if (shown?.tokenId !== undefined && shown.secret !== undefined) {
        tokens.push({ tokenId: shown.tokenId, secret: shown.secret });
      }
    } else if (does === 'revoke') {
      const [token] = tokens.splice(Math.floor(dice * tokens.length), 1);
      if (!token) return;
      revoked.push(token);
      const operation = await caller.ask({ name: 'revokeToken', ...common, input: { tokenId: token.tokenId } });
      const acknowledged = operation.attempts.find(({ outcome }) => outcome === 'done');
      if (outcomeOf(operation) !== 'done' || !acknowledged) return;
      // By the process that has revoked it, at once.
      const input = { tokenId: token.tokenId };
      await caller.ask({ name: 'useToken', transport, server: acknowledged.server, input, token: token.secret });
    } else {
      const token = pick([...tokens, ...revoked.slice(-2)], dice);
      if (token) {
        const input = { tokenId: token.tokenId };
        await caller.ask({ name: 'useToken', transport, server, input, token: token.secret });
      }
    }
  };
}
