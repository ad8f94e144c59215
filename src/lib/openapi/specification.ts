import type { AssembledFile } from './assemble.ts';
import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import { mappedIn, pointerOf, pointerTokens, referenceObjectsIn, valueAt } from './references.ts';

/** Number of parts that one operation or schema may depend on. References beyond it stay unresolved. */
const MAX_PARTS = 2_000;

/**
 * An assembled specification whose references can be followed. A part is the target of a reference, named by the
 * canonical form of the reference: `#/components/schemas/Pet`, `models.yaml#/Pet`.
 */
export class Specification {
  readonly document: JsonRecord;
  readonly #files: ReadonlyMap<string, JsonRecord>;
  readonly #parts = new Map<string, { value: JsonValue; refs: string[] } | undefined>();

  constructor(files: readonly Pick<AssembledFile, 'filename' | 'isEntrypoint' | 'specification'>[]) {
    this.document = files[0]?.specification ?? {};
    this.#files = new Map(files.map((file) => [file.isEntrypoint ? '' : file.filename, file.specification]));
  }

  /** The value of a part. Undefined if the reference has no target. */
  part(ref: string): JsonValue | undefined {
    return this.#load(ref)?.value;
  }

  /** The object itself, or the one that its reference leads to. */
  follow(value: JsonValue | undefined): JsonRecord | undefined {
    const seen = new Set<string>();
    let at = value;
    while (isJsonRecord(at) && typeof at.$ref === 'string') {
      const ref = canonical(at.$ref);
      if (ref === undefined || seen.has(ref)) return undefined;
      seen.add(ref);
      at = this.part(ref);
    }
    return isJsonRecord(at) ? at : undefined;
  }

  /**
   * All parts that a value depends on, nearest first, with the variants that discriminators map. Circles are no
   * problem.
   */
  dependencies(value: JsonValue, max = MAX_PARTS): string[] {
    const refs = new Set(this.#refsIn(value));
    for (const ref of refs) {
      if (refs.size >= max) break;
      for (const next of this.#load(ref)?.refs ?? []) refs.add(next);
    }
    return [...refs].slice(0, max);
  }

  #load(ref: string) {
    const cached = this.#parts.get(ref);
    if (cached || this.#parts.has(ref)) return cached;
    const [filename = '', fragment = ''] = ref.split('#', 2);
    const file = this.#files.get(filename);
    const tokens = pointerTokens(fragment);
    const value = file && tokens && valueAt(file, tokens);
    const part = value === undefined ? undefined : { value, refs: this.#refsIn(value) };
    this.#parts.set(ref, part);
    return part;
  }

  #refsIn(value: JsonValue): string[] {
    const allRefs = [...referenceObjectsIn(value).map(({ $ref }) => $ref), ...mappedIn(value)];
    const refs = allRefs.map(canonical);
    return [...new Set(refs.filter((ref) => ref !== undefined))];
  }
}

/** The canonical form of a reference within an assembled specification. Undefined for anchors and malformed ones. */
export function canonical(ref: string): string | undefined {
  const hash = ref.indexOf('#');
  const tokens = pointerTokens(hash < 0 ? '' : ref.slice(hash + 1));
  return tokens && `${hash < 0 ? ref : ref.slice(0, hash)}${pointerOf(tokens)}`;
}
