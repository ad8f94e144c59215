import type { ContentRef } from '../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { mapReferences } from '../../../lib/document/references.ts';
import { badInput } from '../../../platform/errors.ts';
import { type IdPrefix, newId } from '../../../platform/ids.ts';
import type { ChangePath } from './change-path.ts';

/** The caller's names of what one call creates, and the ids that they stand for. */
export class Refs {
  readonly #ids = new Map<string, string>();
  readonly #created = new Set<string>();

  /** A new id, which the name stands for when there is one. */
  create(prefix: IdPrefix, ref: string | null | undefined, path: ChangePath): string {
    const id = newId(prefix);
    this.#created.add(id);
    if (ref == null) return id;
    if (this.#ids.has(ref)) throw badInput([...path, 'ref'], `"${ref}" names something else of this call.`);
    this.#ids.set(ref, id);
    return id;
  }

  /** What a name stands for; every other text is an id already. */
  idOf(idOrRef: string): string {
    return this.#ids.get(idOrRef) ?? idOrRef;
  }

  /** The ids of everything that the call creates. */
  get created(): ReadonlySet<string> {
    return this.#created;
  }

  /** The same body, with ids where it has names. */
  inBody(body: JSONDocument): JSONDocument {
    return this.#ids.size === 0 ? body : mapReferences(body, (ref) => this.inReference(ref));
  }

  /** The same reference, with an id where it has a name. What is in another space is not of this call. */
  inReference<Ref extends ContentRef>(ref: Ref): Ref {
    const given: { [member: string]: unknown } = ref;
    if (given.space !== undefined) return ref;
    for (const member of ['page', 'file', 'reusableContent']) {
      const name = given[member];
      const id = typeof name === 'string' ? this.#ids.get(name) : undefined;
      if (id !== undefined) return { ...ref, [member]: id };
    }
    return ref;
  }
}
