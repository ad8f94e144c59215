import type { ContentRef } from '../../../../lib/document/content-ref.ts';
import type { JSONDocument } from '../../../../lib/document/document.ts';
import { mapReferences } from '../../../../lib/document/references.ts';
import { stableUrl } from '../../../../lib/document/stable-url.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import { type IdPrefix, newId } from '../../../../platform/ids/ids.ts';
import type { ChangePath } from './change-path.ts';

/** The refs of a call and the ids of the objects that they stand for. */
export class Refs {
  readonly #ids = new Map<string, string>();
  readonly #created = new Set<string>();

  /** Creates an id, for the ref if there is one. */
  create(prefix: IdPrefix, ref: string | null | undefined, path: ChangePath): string {
    const id = newId(prefix);
    this.#created.add(id);
    if (ref == null) return id;
    if (this.#ids.has(ref)) throw badInput([...path, 'ref'], `is used twice in this request: "${ref}".`, 'DUPLICATE');
    this.#ids.set(ref, id);
    return id;
  }

  /** The id for a ref. Any other string is returned as it is. */
  idOf(idOrRef: string): string {
    return this.#ids.get(idOrRef) ?? idOrRef;
  }

  /** The ids of all objects that the call creates. */
  get created(): ReadonlySet<string> {
    return this.#created;
  }

  /** The body with refs replaced by ids. */
  inBody(body: JSONDocument): JSONDocument {
    return this.#ids.size === 0 ? body : mapReferences(body, (ref) => this.inReference(ref));
  }

  /** Targets of the URLs in a body whose references contain refs. */
  linksIn(body: JSONDocument): Record<string, { ref: ContentRef }> {
    const links: Record<string, { ref: ContentRef }> = {};
    if (this.#ids.size === 0) return links;
    mapReferences(body, (ref) => {
      const named = this.inReference(ref);
      if (named !== ref) links[stableUrl(ref)] = { ref: named };
      return ref;
    });
    return links;
  }

  /** The reference with a ref replaced by its id. References to other spaces cannot contain refs. */
  inReference<Ref extends ContentRef>(ref: Ref): Ref {
    const members: { [member: string]: unknown } = ref;
    if (members.space !== undefined) return ref;
    for (const member of ['page', 'file', 'reusableContent']) {
      const name = members[member];
      const id = typeof name === 'string' ? this.#ids.get(name) : undefined;
      if (id !== undefined) return { ...ref, [member]: id };
    }
    return ref;
  }
}
