import { ScimError } from '../../../platform/errors/scim-error.ts';

/** A filter of SCIM (RFC 7644, 3.4.2.2). Paths are as the client wrote them. */
export type Filter =
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'present'; path: string }
  | { kind: 'compare'; path: string; op: Comparison; value: FilterValue }
  /** `emails[type eq "work"]`: one value of the attribute fulfils the filter. */
  | { kind: 'some'; path: string; filter: Filter };

export type FilterValue = string | number | boolean | null;

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

export type Comparison = (typeof COMPARISONS)[number];

/** Maximum length of a filter in characters. */
const MAX_FILTER_LENGTH = 2_000;
const MAX_COMPARISONS = 50;
const MAX_DEPTH = 10;

interface Token {
  kind: 'word' | 'text' | '(' | ')' | '[' | ']';
  text: string;
}

/**
 * Parses a filter in one pass. Throws `invalidFilter`. The parser of the SCIM library is not used: it expands filters
 * to exponentially many alternatives, takes `not (a or b)` for `not a or not b`, and does not know escaped quotes.
 */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_FILTER_LENGTH)
    throw new ScimError('invalidFilter', `The filter must be at most ${MAX_FILTER_LENGTH} characters long.`);
  return new Parser(tokensOf(text)).parse();
}

/** The number of comparisons in a filter. */
export function comparisonsIn(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.reduce((count, part) => count + comparisonsIn(part), 0);
    case 'not':
      return comparisonsIn(filter.part);
    case 'some':
      return comparisonsIn(filter.filter);
    default:
      return 1;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? '';
    if (' \t\r\n'.includes(character)) {
      at++;
      continue;
    }
    const end = character === '"' ? endOfText(text, at) : endOfWord(text, at);
    tokens.push(tokenOf(text.slice(at, end)));
    at = end;
  }
  return tokens;
}

const PUNCTUATION = ['(', ')', '[', ']'] as const;

function tokenOf(text: string): Token {
  const sign = PUNCTUATION.find((each) => each === text);
  if (sign) return { kind: sign, text };
  if (!text.startsWith('"')) return { kind: 'word', text };
  try {
    return { kind: 'text', text: JSON.parse(text) as string }; // what begins and ends with quotes is one
  } catch {
    throw new ScimError('invalidFilter', `${text.slice(0, 100)} is not a text as in JSON.`);
  }
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  throw new ScimError('invalidFilter', 'A text in the filter has no closing quote.');
}

function endOfWord(text: string, start: number): number {
  if ('()[]'.includes(text[start] ?? '')) return start + 1;
  let end = start;
  while (end < text.length && !' \t\r\n()[]"'.includes(text[end] ?? '')) end++;
  return end;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #comparisons = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Filter {
    const filter = this.#or(0);
    const rest = this.#tokens[this.#at];
    if (rest) throw unexpected(rest);
    return filter;
  }

  #or(depth: number): Filter {
    return this.#list('or', () => this.#list('and', () => this.#factor(depth)));
  }

  #list(kind: 'and' | 'or', read: () => Filter): Filter {
    const first = read();
    const parts = [first];
    while (this.#isWord(kind)) {
      this.#at++;
      parts.push(read());
    }
    return parts.length === 1 ? first : { kind, parts };
  }

  #factor(depth: number): Filter {
    if (depth >= MAX_DEPTH)
      throw new ScimError('invalidFilter', `The filter must be nested at most ${MAX_DEPTH} levels deep.`);
    const token = this.#next('an attribute, "not" or "("');
    if (token.kind === '(') return this.#closed(')', depth);
    if (token.kind !== 'word') throw unexpected(token);
    if (token.text.toLowerCase() === 'not') return { kind: 'not', part: this.#factor(depth + 1) };
    if (this.#tokens[this.#at]?.kind !== '[') return this.#comparison(token.text);
    this.#at++;
    return this.#some(token.text, this.#closed(']', depth));
  }

  #closed(sign: ')' | ']', depth: number): Filter {
    const filter = this.#or(depth + 1);
    const end = this.#next(`"${sign}"`);
    if (end.kind !== sign) throw unexpected(end);
    return filter;
  }

  /** Also `emails[type eq "work"].value eq "x"`, which clients write: the same value fulfils both. */
  #some(path: string, filter: Filter): Filter {
    const next = this.#tokens[this.#at];
    if (next?.kind !== 'word' || !next.text.startsWith('.')) return { kind: 'some', path, filter };
    this.#at++;
    return { kind: 'some', path, filter: { kind: 'and', parts: [filter, this.#comparison(next.text.slice(1))] } };
  }

  #comparison(path: string): Filter {
    if (++this.#comparisons > MAX_COMPARISONS)
      throw new ScimError('invalidFilter', `The filter must have at most ${MAX_COMPARISONS} comparisons.`);
    const operator = this.#next('an operator').text.toLowerCase();
    if (operator === 'pr') return { kind: 'present', path };
    const op = COMPARISONS.find((each) => each === operator);
    if (!op)
      throw new ScimError(
        'invalidFilter',
        `"${operator.slice(0, 100)}" is not an operator. Use pr, ${COMPARISONS.join(', ')}.`,
      );
    return { kind: 'compare', path, op, value: givenValue(this.#next('a value')) };
  }

  #isWord(word: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'word' && token.text.toLowerCase() === word;
  }

  #next(expected: string): Token {
    const token = this.#tokens[this.#at++];
    if (!token) throw new ScimError('invalidFilter', `The filter ends where ${expected} was expected.`);
    return token;
  }
}

const unexpected = ({ text }: Token) =>
  new ScimError('invalidFilter', `"${text.slice(0, 100)}" was not expected at its place in the filter.`);

/** Entra and others write `True` and `False`. */
const WORDS = new Map<string, FilterValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function givenValue(token: Token): FilterValue {
  if (token.kind === 'text') return token.text;
  const word = WORDS.get(token.text.toLowerCase());
  if (token.kind === 'word' && word !== undefined) return word;
  const number = Number(token.text);
  if (token.kind === 'word' && token.text !== '' && Number.isFinite(number)) return number;
  throw new ScimError('invalidFilter', `"${token.text.slice(0, 100)}" is not a value. Write texts in double quotes.`);
}
