import { group, MIN_SIMILARITY } from '../../../lib/grouping/group.ts';
import { continued } from '../../../lib/grouping/keep-ids.ts';
import { labelOf, phraseFrequencies, type TermedDocument } from '../../../lib/grouping/label.ts';
import {
  type Counted,
  countsOf,
  Frequencies,
  meanOf,
  Nearest,
  type StoredFrequencies,
  type Vector,
} from '../../../lib/grouping/vectors.ts';

/** An issue to group. Its terms, words and concepts are separated by spaces: lists of them take long to be copied to a thread. */
export interface IssueToGroup {
  id: string;
  terms: string;
  words: string;
  concepts: string;
  language: string | null;
  /** Its present cluster. */
  clusterId: string | null;
}

export interface GroupingInput {
  issues: IssueToGroup[];
  /**
   * Of the latest complete grouping. Without it, all issues are grouped anew; otherwise only those without a cluster join
   * the known clusters or form new ones.
   */
  model: { frequencies: StoredFrequencies; clusters: ({ id: string } & Vector)[] } | null;
}

/** A cluster with all issues that it gets. */
export interface GroupedCluster extends Vector {
  /** Null for a new cluster. */
  id: string | null;
  issueIds: string[];
  /** The issue that is most similar to the mean. */
  centralIssueId: string;
  label: string;
  words: string[];
}

export interface Grouping {
  clusters: GroupedCluster[];
  /** Issues that join known clusters; only with a model. */
  joining: { issueId: string; clusterId: string }[];
  /** What a later grouping needs; null if there was a model, which stays. */
  frequencies: StoredFrequencies | null;
}

/** Runs in a thread. */
export function work({ issues, model }: GroupingInput): Grouping {
  const read = issues.map(({ terms, words, concepts, ...rest }) => ({
    ...rest,
    terms: listed(terms),
    words: listed(words),
    concepts: listed(concepts),
  }));
  return model ? add(read, model) : groupAll(read);
}

type GroupedIssue = Omit<IssueToGroup, keyof TermedDocument | 'concepts'> & TermedDocument & { concepts: string[] };

const listed = (text: string) => (text === '' ? [] : text.split(' '));

const counted = ({ terms, concepts, language }: GroupedIssue): Counted => ({
  counts: countsOf(terms, concepts),
  language,
});

function vectorsOf(issues: readonly GroupedIssue[], stored: StoredFrequencies = {}) {
  const documents = issues.map(counted);
  const frequencies = Frequencies.of(documents, stored);
  return { frequencies, vectors: documents.map((document) => frequencies.vectorOf(document)) };
}

function groupAll(issues: readonly GroupedIssue[]): Grouping {
  const { frequencies, vectors } = vectorsOf(issues);
  const groups = group(vectors);
  const ids = continued(groups.map((members) => members.map((member) => issues[member]?.clusterId ?? null)));
  const described = describer(issues, vectors);
  return {
    clusters: groups.map((members, index) => ({ id: ids[index] ?? null, ...described(members) })),
    joining: [],
    frequencies: frequencies.stored(),
  };
}

function add(issues: readonly GroupedIssue[], model: NonNullable<GroupingInput['model']>): Grouping {
  // With the words of the issues themselves, so that new questions are like each other.
  const vectors = vectorsOf(issues, model.frequencies).vectors;
  const nearest = new Nearest(model.clusters);
  const best = vectors.map((vector) => nearest.best(vector));
  const joining = issues.flatMap(({ id }, index) => {
    const found = best[index];
    const cluster = found && found.similarity >= MIN_SIMILARITY ? model.clusters[found.place] : undefined;
    return cluster ? [{ issueId: id, clusterId: cluster.id }] : [];
  });
  const joined = new Set(joining.map(({ issueId }) => issueId));
  const left = issues.flatMap(({ id }, index) => (joined.has(id) ? [] : [index]));
  const described = describer(issues, vectors);
  const groups = group(left.map((index) => vectors[index] ?? NOTHING));
  return {
    clusters: groups.map((members) => ({ id: null, ...described(members.map((member) => left[member] ?? 0)) })),
    joining,
    frequencies: null,
  };
}

const NOTHING: Vector = { buckets: [], weights: [] };

function describer(issues: readonly GroupedIssue[], vectors: readonly Vector[]) {
  const everywhere = phraseFrequencies(issues);
  return (members: readonly number[]): Omit<GroupedCluster, 'id'> => {
    const own = members.map((member) => issues[member]).filter((issue) => issue !== undefined);
    const mean = meanOf(members.map((member) => vectors[member] ?? NOTHING));
    const { text, words } = labelOf(own, everywhere, issues.length);
    return {
      ...mean,
      issueIds: own.map(({ id }) => id),
      centralIssueId: issues[central(members, vectors, mean)]?.id ?? '',
      label: text,
      words,
    };
  };
}

/** The member that is most similar to the mean, the first of equals. */
function central(members: readonly number[], vectors: readonly Vector[], mean: Vector): number {
  const nearest = new Nearest([mean]);
  const ranked = members
    .map((member) => ({ member, similarity: nearest.best(vectors[member] ?? NOTHING)?.similarity ?? 0 }))
    .toSorted((a, b) => b.similarity - a.similarity || a.member - b.member);
  return ranked[0]?.member ?? 0;
}
