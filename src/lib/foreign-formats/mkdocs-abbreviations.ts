import { trimEndOf } from '../trim-characters.ts';
import { closesFence, type Fence, fenceOf, MAX_LINE } from './fence.ts';

const DEFINITION = /^ {0,3}\*\[([^[\]\n]{1,100})\]:[ \t]*(.*)$/;
const MAX_ABBREVIATIONS = 1_000;
/** Bracketed text with the text after it: annotations cannot be within links. */
const BRACKETED = /(\[[^[\]]{0,1000}(?:\ufdd2\d+\ufdd3|\](?:\[[^[\]]{0,200}\])?))/;

/** A word, or a masked part, which has no abbreviation. */
const WORD = /\ufdd2\d+[\ufdd3\ufdd4]|[\p{L}\p{N}][\p{L}\p{N}&./+#-]*/gu;

/** Abbreviations of a page (`abbr`). The first mention of each gets its meaning as an annotation. */
export class Abbreviations {
  readonly #meanings = new Map<string, string>();
  readonly #used: string[] = [];

  /** Takes the definitions, `*[HTML]: HyperText Markup Language`, out of the lines of a page. */
  takeDefinitions(lines: readonly string[]): string[] {
    let fence: Fence | undefined;
    return lines.filter((line) => {
      const isFenced = fence !== undefined;
      if (fence) fence = closesFence(fence, line) ? undefined : fence;
      else fence = fenceOf(line);
      const [, name, meaning = ''] = isFenced || line.length > MAX_LINE ? [] : (DEFINITION.exec(line) ?? []);
      if (name === undefined) return true;
      if (this.#meanings.size < MAX_ABBREVIATIONS) this.#meanings.set(name, meaning.trim());
      return false;
    });
  }

  /** A text, in which code and addresses are masked, with annotations. */
  annotated(text: string): string {
    if (this.#meanings.size === 0 || text.startsWith('#')) return text;
    return text
      .split(BRACKETED)
      .map((part, index) => (index % 2 === 1 ? part : this.#annotatedPart(part)))
      .join('');
  }

  #annotatedPart(part: string): string {
    return part.replace(WORD, (word) => {
      const name = [word, trimEndOf(word, './+#&-')].find((each) => this.#meanings.get(each));
      const meaning = name === undefined ? undefined : this.#meanings.get(name);
      if (name === undefined || meaning === undefined) return word;
      this.#meanings.delete(name);
      const label = `abbr-${this.#used.length + 1}`;
      this.#used.push(`[^${label}]: ${meaning}`);
      return `[${name}](#user-content-fn-${label})[^${label}]${word.slice(name.length)}`;
    });
  }

  /** The footnotes with the meanings of the mentioned abbreviations. */
  footnotes(): string[] {
    return this.#used.flatMap((footnote) => ['', footnote]);
  }
}
