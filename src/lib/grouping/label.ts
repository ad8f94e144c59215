/** The terms of a document and the words that they come from, in order. */
export interface TermedDocument {
  terms: readonly string[];
  words: readonly string[];
}

export interface Label {
  /** The phrases, separated by commas. */
  text: string;
  /** Words of the phrases and further words that distinguish the group, best first. */
  words: string[];
}

const MAX_LABEL = 60;
const MAX_PHRASES = 3;
const MAX_WORDS = 8;

/** Pairs of terms are preferred to single ones. */
const PAIR_BONUS = 1.5;

/** In how many documents each phrase occurs: single terms, and two terms in a row. */
export function phraseFrequencies(documents: readonly TermedDocument[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const document of documents) {
    for (const phrase of phrasesOf(document).keys()) frequencies.set(phrase, (frequencies.get(phrase) ?? 0) + 1);
  }
  return frequencies;
}

/**
 * The phrases that distinguish a group of documents from all: they are in many documents of the group and in few
 * others. Phrases are shown in the most frequent form in which they were written.
 */
export function labelOf(members: readonly TermedDocument[], all: ReadonlyMap<string, number>, total: number): Label {
  const forms = new Map<string, Map<string, number>>();
  const within = new Map<string, number>();
  for (const member of members) {
    for (const [phrase, form] of phrasesOf(member)) {
      within.set(phrase, (within.get(phrase) ?? 0) + 1);
      const counts = forms.get(phrase) ?? new Map<string, number>();
      forms.set(phrase, counts.set(form, (counts.get(form) ?? 0) + 1));
    }
  }
  const ranked = [...within]
    .filter(([, count]) => count > 1 || members.length < 3)
    .map(([phrase, count]) => ({ phrase, score: scoreOf(phrase, count, { members, all, total }) }))
    .toSorted((a, b) => b.score - a.score || (a.phrase < b.phrase ? -1 : 1));
  const phrases = ranked.map(({ phrase }) => ({ terms: phrase.split(' '), form: mostFrequent(forms.get(phrase)) }));
  return { text: joined(phrases), words: distinct(phrases) };
}

/** The phrases of a document, each with its first form. */
function phrasesOf({ terms, words }: TermedDocument): Map<string, string> {
  const phrases = new Map<string, string>();
  for (const [index, term] of terms.entries()) {
    const word = words[index] ?? term;
    if (!phrases.has(term)) phrases.set(term, word);
    const next = terms[index + 1];
    if (next === undefined || next === term || isGram(term) || isGram(next)) continue;
    const pair = `${term} ${next}`;
    if (!phrases.has(pair)) phrases.set(pair, `${word} ${words[index + 1] ?? next}`);
  }
  return phrases;
}

/** Two characters of a script without spaces: neighbours overlap. */
const isGram = (term: string) => /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]/u.test(term);

function scoreOf(
  phrase: string,
  count: number,
  { members, all, total }: { members: readonly TermedDocument[]; all: ReadonlyMap<string, number>; total: number },
): number {
  const inside = count / members.length;
  const everywhere = ((all.get(phrase) ?? count) + 1) / (total + 2);
  return inside * Math.max(0.05, Math.log((inside + 0.01) / everywhere)) * (phrase.includes(' ') ? PAIR_BONUS : 1);
}

const mostFrequent = (forms: ReadonlyMap<string, number> | undefined): string =>
  [...(forms ?? [])].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0] ?? '';

interface Phrase {
  terms: string[];
  form: string;
}

/** The best phrases that do not share a term. */
function joined(phrases: readonly Phrase[]): string {
  const used = new Set<string>();
  let text = '';
  let count = 0;
  for (const { terms, form } of phrases) {
    if (count === MAX_PHRASES) break;
    if (terms.some((term) => used.has(term))) continue;
    const longer = text === '' ? form : `${text}, ${form}`;
    if (longer.length > MAX_LABEL) continue;
    for (const term of terms) used.add(term);
    text = longer;
    count++;
  }
  return text;
}

const distinct = (phrases: readonly Phrase[]): string[] =>
  [...new Set(phrases.flatMap(({ form }) => form.split(' ')))].slice(0, MAX_WORDS);
