import { continuedGroups } from '../../../lib/grouping/continued-groups.ts';
import { centerRows, type DenseRows, denseMeanOf, meanOfRows, vectorOfNumbers } from '../../../lib/grouping/dense.ts';
import { group, MIN_SIMILARITY } from '../../../lib/grouping/group.ts';
import { labelOf, phraseFrequencies, type TermedDocument } from '../../../lib/grouping/label.ts';
import {
  type Counted,
  Frequencies,
  featureCounts,
  meanOf,
  Nearest,
  type StoredFrequencies,
  type StoredVector,
  type Vector,
} from '../../../lib/grouping/vectors.ts';

/**
 * An issue to group. Its terms, words and concepts are separated by spaces: lists of them take long to be copied to a
 * worker.
 */
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
  /** The vectors of the issues by a model, in their order. Null to compare words. */
  vectors: DenseRows | null;
  /**
   * Of the latest complete grouping. Without it, all issues are grouped again; otherwise only those without a cluster
   * join the known clusters or form new ones.
   */
  model: { frequencies: StoredFrequencies; embeddingMean: number[]; clusters: KnownCluster[] } | null;
}

interface KnownCluster extends Vector {
  id: string;
  /** The mean of the vectors of its issues by the model. Empty if they were grouped by their words. */
  embedding: readonly number[];
}

/** A cluster with all issues that it gets. Its buckets and weights are the mean of the words. */
export interface GroupedCluster extends StoredVector {
  /** Null for a new cluster. */
  id: string | null;
  /** The mean of the vectors by a model. Empty if words were compared. */
  embedding: number[];
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
  /** Model for later groupings; null if there was one already, which stays. */
  frequencies: StoredFrequencies | null;
  /** The mean of the vectors of all issues by a model. Empty if words were compared. */
  embeddingMean: number[];
}

/** Runs in a worker. */
export function work({ issues, vectors, model }: GroupingInput): Grouping {
  const read = issues.map(({ terms, words, concepts, ...rest }) => ({
    ...rest,
    terms: listed(terms),
    words: listed(words),
    concepts: listed(concepts),
  }));
  return model ? add(read, vectors, model) : groupAll(read, vectors);
}

type GroupedIssue = Omit<IssueToGroup, keyof TermedDocument | 'concepts'> & TermedDocument & { concepts: string[] };

const listed = (text: string) => (text === '' ? [] : text.split(' '));

const counted = ({ terms, concepts, language }: GroupedIssue): Counted => ({
  counts: featureCounts(terms, concepts),
  language,
});

function vectorsOf(issues: readonly GroupedIssue[], stored: StoredFrequencies = {}) {
  const documents = issues.map(counted);
  const frequencies = Frequencies.of(documents, stored);
  return { frequencies, vectors: documents.map((document) => frequencies.vectorOf(document)) };
}

/** Vectors of issues, and what is compared of them: the same, or the vectors by a model. */
interface Compared {
  byWords: Vector[];
  vectors: readonly Vector[];
  /** Width of the vectors by a model, 0 for words. */
  width: number;
}

function compare(byWords: Vector[], rows: DenseRows | null, mean: readonly number[]): Compared {
  return rows
    ? { byWords, vectors: centerRows(rows, mean), width: rows.width }
    : { byWords, vectors: byWords, width: 0 };
}

const minSimilarityOf = ({ width }: Compared) => (width > 0 ? MIN_SIMILARITY.model : MIN_SIMILARITY.words);

function groupAll(issues: readonly GroupedIssue[], rows: DenseRows | null): Grouping {
  const { frequencies, vectors } = vectorsOf(issues);
  const embeddingMean = rows ? meanOfRows(rows) : [];
  const compared = compare(vectors, rows, embeddingMean);
  const groups = group(compared.vectors, { minSimilarity: minSimilarityOf(compared) });
  const ids = continuedGroups(groups.map((members) => members.map((member) => issues[member]?.clusterId ?? null)));
  const described = describer(issues, compared);
  return {
    clusters: groups.map((members, index) => ({ id: ids[index] ?? null, ...described(members) })),
    joining: [],
    frequencies: frequencies.stored(),
    embeddingMean,
  };
}

function add(
  issues: readonly GroupedIssue[],
  rows: DenseRows | null,
  { frequencies, embeddingMean, clusters }: NonNullable<GroupingInput['model']>,
): Grouping {
  // With the words of the issues themselves, so that new questions are like each other.
  const compared = compare(vectorsOf(issues, frequencies).vectors, rows, embeddingMean);
  const minSimilarity = minSimilarityOf(compared);
  const clusterVectors = compared.width > 0 ? clusters.map(({ embedding }) => vectorOfNumbers(embedding)) : clusters;
  const nearest = new Nearest(clusterVectors);
  const best = compared.vectors.map((vector) => nearest.best(vector));
  const joining = issues.flatMap(({ id }, index) => {
    const match = best[index];
    const cluster = match && match.similarity >= minSimilarity ? clusters[match.place] : undefined;
    return cluster ? [{ issueId: id, clusterId: cluster.id }] : [];
  });
  const joined = new Set(joining.map(({ issueId }) => issueId));
  const remaining = issues.flatMap(({ id }, index) => (joined.has(id) ? [] : [index]));
  const described = describer(issues, compared);
  const groups = group(at(remaining, compared.vectors), { minSimilarity });
  return {
    clusters: groups.map((members) => ({ id: null, ...described(members.map((member) => remaining[member] ?? 0)) })),
    joining,
    frequencies: null,
    embeddingMean,
  };
}

const NOTHING: Vector = { buckets: [], weights: [] };

const at = (places: readonly number[], vectors: readonly Vector[]) => places.map((place) => vectors[place] ?? NOTHING);

function describer(issues: readonly GroupedIssue[], { byWords, vectors, width }: Compared) {
  const everywhere = phraseFrequencies(issues);
  return (members: readonly number[]): Omit<GroupedCluster, 'id'> => {
    const memberIssues = members.map((member) => issues[member]).filter((issue) => issue !== undefined);
    const { text, words } = labelOf(memberIssues, everywhere, issues.length);
    return {
      ...meanOf(at(members, byWords)),
      embedding: width > 0 ? denseMeanOf(at(members, vectors), width) : [],
      issueIds: memberIssues.map(({ id }) => id),
      centralIssueId: issues[central(members, vectors)]?.id ?? '',
      label: text,
      words,
    };
  };
}

/** The member that is most similar to the mean, the first of equals. */
function central(members: readonly number[], vectors: readonly Vector[]): number {
  const nearest = new Nearest([meanOf(at(members, vectors))]);
  const ranked = members
    .map((member) => ({ member, similarity: nearest.best(vectors[member] ?? NOTHING)?.similarity ?? 0 }))
    .toSorted((a, b) => b.similarity - a.similarity || a.member - b.member);
  return ranked[0]?.member ?? 0;
}
