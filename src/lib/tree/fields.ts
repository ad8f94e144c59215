import { TreeError } from './error.ts';
import type { ComputedFields, DocumentFields, FieldsByKind, LinkFields, PageContent, PageKind } from './node.ts';

type AllFields = DocumentFields & LinkFields & ComputedFields;

/**
 * A change of fields: absent fields stay, null removes a field. A slug of null or '' is derived from the title again.
 */
export type FieldsPatch = { [Name in keyof AllFields]?: AllFields[Name] | null };

/** The fields of a new page. Without a slug, one is derived from the title. */
export type NewFields<Kind extends PageKind> = Omit<FieldsByKind[Kind], 'slug'> & { slug?: string };

type Names<Kind extends PageKind> = readonly (keyof FieldsByKind[Kind])[];

const common = ['title', 'linkTitle', 'emoji', 'icon', 'condition', 'hidden'] as const;
const slugged = [...common, 'slug', 'noIndex', 'noRobotsIndex'] as const;

/** The names of the fields of each kind of page. */
export const fieldNames: { readonly [Kind in PageKind]: Names<Kind> } = {
  document: [
    ...slugged,
    'description',
    'layout',
    'cover',
    'variables',
    'metaLinks',
    'tags',
    'computed',
    'computedSeed',
  ],
  group: slugged,
  link: [...common, 'target'],
  computed: [...slugged, 'computed'],
};

const required: { readonly [Kind in PageKind]: Names<Kind> } = {
  document: ['title', 'slug'],
  group: ['title', 'slug'],
  link: ['title', 'target'],
  computed: ['title', 'slug', 'computed'],
};

/**
 * The page with its fields in canonical form for hashing: empty fields (null, false, '', and empty lists and objects)
 * are left out, since they are equivalent to absent ones. Throws BAD_FIELD for a field of another kind or a missing
 * required field.
 */
export function withFields(page: Omit<PageContent, 'fields'>, values: Readonly<Record<string, unknown>>): PageContent {
  const names: readonly string[] = fieldNames[page.kind];
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (!names.includes(name)) throw new TreeError('BAD_FIELD', `A ${page.kind} page has no field "${name}".`);
    if (!isEmpty(value)) fields[name] = value;
  }
  for (const name of required[page.kind]) {
    if (!(name in fields)) throw new TreeError('BAD_FIELD', `A ${page.kind} page requires the field "${name}".`);
  }
  // The names were checked against the kind, and the signatures of callers ensure the types of the values.
  const content: unknown = { ...page, fields };
  return content as PageContent;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
