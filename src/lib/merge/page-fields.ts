import type { Json, JsonObject } from '../canonical.ts';
import { withFields } from '../tree/fields.ts';
import type { PageContent, StoredPage } from '../tree/node.ts';
import type { Fields } from './merge-fields.ts';

/** Fields whose members are merged one by one. */
const DIVIDED: readonly string[] = ['layout', 'variables'];

/** All that an edit of a page itself changes, its body left out; members of a divided field are `field.member`. */
export function fieldsOf(page: PageContent): Fields {
  const fields = page.fields as unknown as JsonObject; // plain JSON of its kind
  return new Map(
    Object.entries(fields).flatMap(([name, value]): [string, Json][] => {
      if (!DIVIDED.includes(name) || typeof value !== 'object' || value === null) return [[name, value]];
      return Object.entries(value).map(([member, each]) => [`${name}.${member}`, each]);
    }),
  );
}

/** The page that has these fields. */
export function pageWith(fields: Fields, page: Pick<PageContent, 'kind' | 'pageId'>): PageContent {
  const nested: JsonObject = {};
  for (const [path, value] of fields) {
    const [name = '', ...rest] = path.split('.');
    if (rest.length === 0) nested[name] = value;
    else nested[name] = { ...(nested[name] as JsonObject | undefined), [rest.join('.')]: value }; // a divided field
  }
  return withFields({ kind: page.kind, pageId: page.pageId }, nested);
}

/** The page alone: what its node holds without children, times and author. */
export function contentOf({ kind, pageId, fields, documentHash }: StoredPage): PageContent {
  const content: unknown = { kind, pageId, fields, ...(documentHash === undefined ? {} : { documentHash }) };
  return content as PageContent; // kind and fields come from one page
}
