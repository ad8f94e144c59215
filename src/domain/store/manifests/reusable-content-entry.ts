import type { JsonObject } from '../../../lib/canonical.ts';

/** A reusable content in the manifest of a revision: a body that pages include. */
export interface ReusableContentEntry {
  /** `reusable_…`, the same in all revisions. */
  id: string;
  title: string;
  /** SHA-256 of the body in hexadecimal; absent if the body is empty. */
  documentHash?: string;
  /** SHA-256 in hexadecimal of the Markdown that the body was written as; absent if that is what is printed for it. */
  sourceHash?: string;
  /** Source that the body is computed from. Such a content has no stored body. */
  computed?: JsonObject;
}
