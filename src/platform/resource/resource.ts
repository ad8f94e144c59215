import type { Field, Preload, Resource, ResourceAbout } from './field.ts';
import { type FieldMaker, makeFields } from './make-fields.ts';

/** The fields of each resource, and whether a transport has read them. */
const states = new WeakMap<object, { fields: Map<string, unknown>; isRead: boolean }>();

/**
 * Describes a resource over the rows that it is read from: `resource<Row<'space'>>({ name: 'Space', … }, (f) => ({
 * title: f.string('Title of the space.', (space) => space.title) }))`.
 */
export function resource<Row>(
  about: ResourceAbout & { readonly preload?: Preload<Row> },
  fields: (f: FieldMaker<Row>) => Record<string, Field<Row>>,
): Resource<Row> {
  const state = { fields: new Map<string, Field<Row>>(), isRead: false };
  const result: Resource<Row> = { ...about, fields: state.fields };
  states.set(result, state);
  extendResource(result, fields);
  return result;
}

/**
 * Adds fields to a resource of a lower module, so that the lower module need not import the higher one. Throws if the
 * name exists or a transport has already read the fields.
 */
export function extendResource<Row>(
  extended: Resource<Row>,
  fields: (f: FieldMaker<Row>) => Record<string, Field<Row>>,
): void {
  const state = states.get(extended);
  if (!state || state.isRead)
    throw new Error(`The fields of ${extended.name} are already in use. Extend it while modules are loading.`);
  for (const [name, field] of Object.entries(fields(makeFields<Row>()))) {
    if (state.fields.has(name)) throw new Error(`${extended.name} already has a field "${name}".`);
    state.fields.set(name, field);
  }
}

/** The fields of a resource for a transport. After this, none can be added. */
export function resourceFields<Row>(read: Resource<Row>): [string, Field<Row>][] {
  const state = states.get(read);
  if (state) state.isRead = true;
  return [...read.fields];
}
