import type { Json, JsonObject } from '../canonical.ts';
import { withFields } from '../tree/fields.ts';
import type { PageContent, StoredPage } from '../tree/node.ts';
import type { Fields } from './merge-fields.ts';

/** Fields whose properties are merged one by one. */
const DIVIDED: readonly string[] = ['layout', 'variables'];

/** The fields of a page, without its body. Properties of a divided field are named `field.property`. */
export function pageFieldValues(page: PageContent): Fields {
  const fields = page.fields as unknown as JsonObject; // fields are plain JSON
  return new Map(
    Object.entries(fields).flatMap(([name, value]): [string, Json][] => {
      if (!DIVIDED.includes(name) || typeof value !== 'object' || value === null) return [[name, value]];
      return Object.entries(value).map(([member, each]) => [`${name}.${member}`, each]);
    }),
  );
}

/** The reverse of `pageFieldValues`. */
export function pageWith(fields: Fields, page: Pick<PageContent, 'kind' | 'pageId'>): PageContent {
  const nested: JsonObject = {};
  for (const [path, value] of fields) {
    const [name = '', ...rest] = path.split('.');
    if (rest.length === 0) nested[name] = value;
    else nested[name] = { ...(nested[name] as JsonObject | undefined), [rest.join('.')]: value }; // a divided field
  }
  return withFields({ kind: page.kind, pageId: page.pageId }, nested);
}

/** The content of a page's node, without children, times and author. */
export function storedPageContent({ kind, pageId, fields, documentHash, sourceHash }: StoredPage): PageContent {
  const body = {
    ...(documentHash === undefined ? {} : { documentHash }),
    ...(sourceHash === undefined ? {} : { sourceHash }),
  };
  const content: unknown = { kind, pageId, fields, ...body };
  return content as PageContent; // kind and fields come from one page
}
