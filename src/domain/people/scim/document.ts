import { isRecord } from '../../../lib/is-record.ts';
import { ScimError } from '../../../platform/errors/scim-error.ts';
import {
  attributeOf,
  attributesOfExtension,
  checkText,
  ENTERPRISE,
  isComplex,
  isExtension,
  isMultiValued,
  isReadOnly,
  type KnownAttribute,
  subAttributeOf,
  USER,
} from './schemas.ts';

/** A user as JSON, with the attributes that are kept, under their names in the schema. */
export type ScimDocument = Record<string, unknown>;

type AttributeDefinition = KnownAttribute['attribute'];

/** The user in the body of a request. Attributes that are unknown, not kept or read-only are left out. */
export function scimDocument(body: unknown): ScimDocument {
  const input = objectIn(body, USER);
  const document: ScimDocument = {};
  for (const [name, value] of Object.entries(input)) {
    if (isExtension(name)) setExtension(document, value);
    else {
      const entry = attributeOf(name);
      if (entry && !isReadOnly(entry.attribute) && entry.attribute.name !== 'schemas')
        setAttribute(document, entry, normalizeValue(entry.attribute, value));
    }
  }
  return document;
}

/** The object in the body of a request. Throws `invalidSyntax` if there is none, or it names other schemas. */
export function objectIn(body: unknown, schema: string): Record<string, unknown> {
  if (!isRecord(body)) throw new ScimError('invalidSyntax', 'The body must be a JSON object.');
  const { schemas } = body;
  const names: unknown[] | undefined = schemas === undefined ? undefined : Array.isArray(schemas) ? schemas : [schemas];
  const isOther = names?.every((each) => typeof each !== 'string' || each.toLowerCase() !== schema.toLowerCase());
  if (isOther) throw new ScimError('invalidSyntax', `schemas: must contain "${schema}".`);
  return body;
}

/** Sets attributes of the extension that an object has. */
export function setExtension(document: ScimDocument, value: unknown): void {
  if (value === null || value === undefined) return;
  if (!isRecord(value)) throw new ScimError('invalidValue', `${ENTERPRISE}: must be an object.`);
  for (const [name, inner] of Object.entries(value)) {
    const entry = attributesOfExtension.get(name.toLowerCase());
    if (entry && !isCommon(entry.attribute)) setAttribute(document, entry, normalizeValue(entry.attribute, inner));
  }
}

/** Attributes that every schema has. Those of the user are in its core. */
const isCommon = ({ name }: AttributeDefinition) => ['schemas', 'id', 'externalId', 'meta'].includes(name);

export const valueIn = (document: ScimDocument, { extension, attribute }: KnownAttribute): unknown =>
  containerOf(document, extension)?.[attribute.name];

const containerOf = (document: ScimDocument, extension: KnownAttribute['extension']): ScimDocument | undefined =>
  extension === null ? document : (document[extension] as ScimDocument | undefined); // set only by `setAttribute`

/** Maximum number of values of an attribute, so that a user is small, also while operations are applied. */
const MAX_VALUES = 20;

const tooManyValues = ({ name }: AttributeDefinition) =>
  new ScimError('invalidValue', `${name}: a user can have up to ${MAX_VALUES}.`);

/** Sets an attribute, or removes it if there is no value. */
export function setAttribute(document: ScimDocument, { extension, attribute }: KnownAttribute, value: unknown): void {
  if (Array.isArray(value) && value.length > MAX_VALUES) throw tooManyValues(attribute);
  const container = containerOf(document, extension) ?? {};
  if (isAbsent(value)) delete container[attribute.name];
  else container[attribute.name] = value;
  if (extension === null) return;
  if (Object.keys(container).length > 0) document[extension] = container;
  else delete document[extension];
}

/**
 * Null and empty lists are no values (RFC 7643, 2.5), and providers send empty texts for what a person does not have.
 */
export const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0);

/**
 * A value in the form of its attribute, where clients have others for it: "False" for false, a text for a complex
 * value, a list of one for one, or one for a list. Throws `invalidValue` for what is too large: what is kept of a
 * request is small before anything is done with it. Other types are checked later (`checkUser`).
 */
export function normalizeValue(attribute: AttributeDefinition, value: unknown): unknown {
  if (isMultiValued(attribute)) {
    if (isAbsent(value)) return undefined;
    const items: unknown[] = Array.isArray(value) ? value : [value];
    if (items.length > MAX_VALUES) throw tooManyValues(attribute);
    return items.map((item) => cleanedItem(attribute, item)).filter((item) => !isAbsent(item));
  }
  return cleanedItem(attribute, Array.isArray(value) && value.length === 1 ? value[0] : value);
}

/** One value of an attribute. */
function cleanedItem(attribute: AttributeDefinition, value: unknown): unknown {
  if (isAbsent(value)) return undefined;
  if (!isComplex(attribute))
    return normalizeSimpleValue(attribute, isRecord(value) && 'value' in value ? value.value : value);
  if (typeof value === 'string' && subAttributeOf(attribute, 'value')) {
    checkText(attribute.name, value);
    return { value };
  }
  if (!isRecord(value)) throw new ScimError('invalidValue', `${attribute.name}: must be an object.`);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const sub = subAttributeOf(attribute, name);
      const normalized = sub && normalizeSimpleValue(sub, inner);
      return sub && normalized !== undefined ? [[sub.name, normalized]] : [];
    }),
  );
}

/** Attributes that a user is found by, which are kept as they are. */
const NAMING = new Set(['userName', 'externalId', 'value']);

/** A value of an attribute without parts. */
export function normalizeSimpleValue({ name, type }: AttributeDefinition, value: unknown): unknown {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'object')
    throw new ScimError('invalidValue', `${name}: must be ${type === 'boolean' ? 'true or false' : 'a text'}.`);
  if (typeof value !== 'string') return value;
  // Directories with names from right to left mark the direction.
  const text = NAMING.has(name) ? value : value.replaceAll(/\p{Bidi_Control}/gu, '');
  checkText(name, text);
  if (type !== 'boolean') return text;
  const lower = text.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : text;
}
