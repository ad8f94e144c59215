import { Random } from '../faults/random.ts';
import type { EditKind, SpaceRole, Transport } from './history.ts';

/*
 * What callers do and when faults happen is a pure function of the seed. What a step meets is not: which page is the
 * newest, or what another caller has just changed, depends on the timing of processes. `dice` decides among what there
 * is.
 */

interface Common {
  transport: Transport;
  /** The server of the first attempt. */
  server: number;
  /** From 0 to below 1, for choices that depend on what there is. */
  dice: number;
  /** Whether the request is sent to both servers at once, with one key. */
  isDoubled: boolean;
  /** Milliseconds before it. */
  pauseMs: number;
}

export type WriterStep = Common &
  ({ does: 'edit'; edit: EditKind } | { does: 'editExpecting' | 'editOnBase' | 'readHead' | 'readPage' });
export type ReviewerStep = Common & {
  does: 'changeRequest';
  edits: ('insert' | 'append' | 'lead')[];
  choice: 'ours' | 'theirs';
};
export type CommenterStep = Common & { does: 'post' | 'update' | 'delete' | 'read' };
export type KeeperStep = Common & { does: 'setRole'; guest: 0 | 1; role: SpaceRole };
export type GuestStep = Common & { does: 'read' | 'comment' | 'edit' };
export type OwnerStep = Common & { does: 'create' | 'use' | 'revoke' };

export type FaultKind = 'kill' | 'cut' | 'loseAnswers' | 'pause' | 'cutDatabase' | 'crashDatabase' | 'failOver';

export interface Fault {
  kind: FaultKind;
  server: number;
  durationMs: number;
  /** It happens when so many steps have been taken. */
  afterSteps: number;
}

export interface Plan {
  seed: number;
  writers: WriterStep[][];
  reviewers: ReviewerStep[][];
  commenters: CommenterStep[][];
  keeper: KeeperStep[];
  guests: GuestStep[][];
  owner: OwnerStep[];
  faults: Fault[];
  /** The milliseconds after which readers of the log break their connections. */
  followerCutsMs: number[];
}

export interface PlanOptions {
  /** Number of server processes. */
  servers: number;
  /** Share of the usual number of steps. */
  size?: number;
  faults?: number;
  /** For plants, which change requests of REST. */
  transport?: Transport;
}

const KINDS: [FaultKind, number][] = [
  ['kill', 4],
  ['cut', 3],
  ['loseAnswers', 3],
  ['pause', 3],
  ['cutDatabase', 2],
  ['crashDatabase', 1],
  ['failOver', 3],
];

export function planOf(seed: number, { servers, size = 1, faults = 5, transport }: PlanOptions): Plan {
  const random = new Random(seed * 7919 + 17);
  const common = (): Common => {
    const drawn: Transport = random.chance(0.5) ? 'rest' : 'graph';
    return {
      transport: transport ?? drawn,
      server: random.below(servers),
      dice: random.next(),
      isDoubled: random.chance(0.06),
      pauseMs: random.chance(0.3) ? random.below(40) : 0,
    };
  };
  const steps = <Step>(count: number, make: (index: number) => Step): Step[] =>
    Array.from({ length: Math.max(1, Math.round(count * size)) }, (_, index) => make(index));
  const weighted = <Item>(items: [Item, number][]): Item => {
    let left = random.below(items.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [item, weight] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    throw new Error('No item has a weight.');
  };
  const writer = (): WriterStep => {
    const does = weighted<WriterStep['does']>([
      ['edit', 10],
      ['editExpecting', 3],
      ['editOnBase', 2],
      ['readHead', 3],
      ['readPage', 4],
    ]);
    if (does !== 'edit') return { ...common(), does };
    const edit = weighted<EditKind>([
      ['insert', 2],
      ['append', 4],
      ['lead', 4],
      ['move', 2],
      ['remove', 1],
    ]);
    return { ...common(), does, edit };
  };
  const plan: Omit<Plan, 'faults'> = {
    seed,
    writers: Array.from({ length: 4 }, () => steps(50, writer)),
    reviewers: Array.from({ length: 2 }, () =>
      steps(14, () => ({
        ...common(),
        does: 'changeRequest' as const,
        edits: Array.from({ length: 1 + random.below(3) }, () =>
          weighted<'insert' | 'append' | 'lead'>([
            ['insert', 1],
            ['append', 2],
            ['lead', 2],
          ]),
        ),
        choice: random.chance(0.5) ? ('ours' as const) : ('theirs' as const),
      })),
    ),
    commenters: Array.from({ length: 2 }, () =>
      steps(35, () => ({
        ...common(),
        does: weighted<CommenterStep['does']>([
          ['post', 4],
          ['update', 4],
          ['delete', 1],
          ['read', 4],
        ]),
      })),
    ),
    keeper: steps(36, (index) => ({
      ...common(),
      does: 'setRole' as const,
      guest: random.chance(0.5) ? 0 : 1,
      // Never twice the same in a row, so that most have an effect.
      role: weighted<SpaceRole>(
        index % 2 === 0
          ? [
              ['edit', 3],
              ['comment', 2],
              ['review', 1],
            ]
          : [
              [null, 3],
              ['read', 2],
            ],
      ),
    })),
    guests: Array.from({ length: 2 }, () =>
      steps(60, () => ({
        ...common(),
        does: weighted<GuestStep['does']>([
          ['read', 4],
          ['comment', 3],
          ['edit', 2],
        ]),
      })),
    ),
    owner: steps(40, () => ({
      ...common(),
      does: weighted<OwnerStep['does']>([
        ['create', 2],
        ['use', 6],
        ['revoke', 1],
      ]),
    })),
    followerCutsMs: Array.from({ length: 40 }, () => 100 + random.below(1_500)),
  };
  const total = stepsOf(plan);
  return {
    ...plan,
    faults: Array.from({ length: faults }, (_, index) => ({
      kind: weighted(KINDS),
      server: random.below(servers),
      durationMs: 200 + random.below(1_000),
      // Spread over the run, none at its end.
      afterSteps: Math.floor((total * (index + 0.2 + random.next() * 0.6)) / (faults + 0.5)),
    })),
  };
}

export function stepsOf(plan: Omit<Plan, 'faults'>): number {
  const lists = [...plan.writers, ...plan.reviewers, ...plan.commenters, plan.keeper, ...plan.guests, plan.owner];
  return lists.reduce((sum, list) => sum + list.length, 0);
}
