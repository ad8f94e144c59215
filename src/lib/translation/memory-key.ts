import { hashOf } from '../canonical.ts';
import type { Languages } from './cut-document.ts';
import type { TermTranslation } from './glossary.ts';

/** Everything that the translation of a segment depends on. */
export interface MemoryQuestion extends Languages {
  /** Kind, URL and model of the provider. */
  provider: string;
  instructions: string;
  segment: string;
  /** The terms that occur in the segment, each once, in a fixed order. */
  terms: readonly TermTranslation[];
}

/** The key of an imported entry, in hexadecimal: only the translation that it was imported to asks for it. */
export const importedKey = (translationId: string, segment: string): string =>
  hashOf({ imported: translationId, segment });

/**
 * SHA-256 of a question to a provider, in hexadecimal. Equal questions have the same response in the translation
 * memory.
 */
export const memoryKey = ({ provider, instructions, segment, terms, from, to }: MemoryQuestion): string =>
  hashOf({
    provider,
    instructions,
    segment,
    from,
    to,
    terms: terms.map(({ term, translation }) => [term, translation]),
  });
