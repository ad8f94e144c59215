import { type FoundOperation, isMarkedInternal, nonBlankText } from './operations.ts';
import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import { examplesWithin } from './schema-examples.ts';
import type { Specification } from './specification.ts';

/** A tag, as pages are made of it. */
export interface OutlineTag {
  name: string;
  /** `x-page-title`, `x-displayName`, `summary`. */
  title?: string;
  icon?: string;
  /** Summary of the page: `x-page-description`. */
  summary?: string;
  /** Markdown, which may contain blocks. */
  description?: string;
  parent?: string;
  isHidden?: boolean;
}

/** An operation, as pages are made of it. */
export interface OutlineOperation {
  kind: FoundOperation['kind'];
  method: string;
  path: string;
  operationId?: string;
  title?: string;
  icon?: string;
  summary?: string;
  tags: string[];
  isDeprecated?: boolean;
  /** Names of parameters. */
  parameters?: string[];
  /** Examples of parameters and properties. */
  examples?: string[];
  /** `experimental`, `alpha` or `beta`. */
  stability?: string;
}

/** Data that the pages of a specification are made from. Small enough to be read with every tree. */
export interface Outline {
  title: string;
  version: string;
  /** Markdown, which may contain blocks. */
  description: string;
  tags: OutlineTag[];
  operations: OutlineOperation[];
  schemas: string[];
}

/** Lengths of texts in an outline, in UTF-16 units. */
const MAX_TITLE = 255;
const MAX_SUMMARY = 300;
const MAX_DESCRIPTION = 30_000;
/** Declared tags, and all tags with those that only operations name. */
const MAX_DECLARED_TAGS = 1_000;
const MAX_TAGS = 2_000;
/** Tags with longer names are left out. */
const MAX_TAG = 255;
/** Tags of one operation, which is on the page of each of them. */
const MAX_TAGS_OF_OPERATION = 50;
/** Parameters of an operation, and the length of their names. */
const MAX_PARAMETERS = 50;
const MAX_NAME = 100;
/** Operations with longer methods and paths are left out. Longer ids are ignored. */
const MAX_METHOD = 100;
const MAX_PATH = 2_000;
const MAX_ID = 1_000;
/** Schemas, and the length of their names. Others are left out. */
const MAX_SCHEMAS = 20_000;
const MAX_SCHEMA = 1_000;

/**
 * The outline of a specification. Operations and tags that are internal are left out, as are names and paths that are
 * too long, and what lies beyond a maximum number.
 */
export function specificationOutline(specification: Specification, operations: readonly FoundOperation[]): Outline {
  const { document } = specification;
  const info = isJsonRecord(document.info) ? document.info : {};
  const declared = (Array.isArray(document.tags) ? document.tags : []).filter(isJsonRecord);
  const tags = declared.slice(0, MAX_DECLARED_TAGS).flatMap(tagOf);
  const hidden = new Set(declared.filter(isMarkedInternal).map(({ name }) => name));
  const shown = operations.filter(
    ({ isInternal, method, path, tags: own }) =>
      !isInternal && method.length <= MAX_METHOD && path.length <= MAX_PATH && !own.some((tag) => hidden.has(tag)),
  );
  return {
    title: cut(nonBlankText(info.title), MAX_TITLE) ?? 'API',
    version: cut(nonBlankText(info.version), MAX_TITLE) ?? '',
    description: cut(nonBlankText(info.description), MAX_DESCRIPTION) ?? '',
    tags,
    operations: withTags(shown, tags).map((operation) => operationOf(specification, operation)),
    schemas: Object.entries(schemasOf(document))
      .filter(([name, schema]) => name.length <= MAX_SCHEMA && !(isJsonRecord(schema) && isMarkedInternal(schema)))
      .map(([name]) => name)
      .slice(0, MAX_SCHEMAS),
  };
}

/** The operations with those of their tags that have pages: declared ones, then the first that operations name. */
function withTags(operations: readonly FoundOperation[], declared: readonly OutlineTag[]): FoundOperation[] {
  const names = new Set(declared.map(({ name }) => name));
  return operations.map((operation) => {
    const own = [...new Set(operation.tags)].filter((tag) => tag.length <= MAX_TAG).slice(0, MAX_TAGS_OF_OPERATION);
    for (const tag of own) if (names.size < MAX_TAGS) names.add(tag);
    return { ...operation, tags: own.filter((tag) => names.has(tag)) };
  });
}

/** The schemas of the specification by name. */
export function schemasOf({ components }: JsonRecord): JsonRecord {
  const schemas = isJsonRecord(components) ? components.schemas : undefined;
  return isJsonRecord(schemas) ? schemas : {};
}

function tagOf(tag: JsonRecord): OutlineTag[] {
  const name = nonBlankText(tag.name);
  if (name === null || name.length > MAX_TAG) return [];
  return [
    {
      name,
      ...ifPresent(
        'title',
        cut(
          nonBlankText(tag['x-page-title']) ?? nonBlankText(tag['x-displayName']) ?? nonBlankText(tag.summary),
          MAX_TITLE,
        ),
      ),
      ...ifPresent('icon', cut(nonBlankText(tag['x-page-icon']), 50)),
      ...ifPresent('summary', cut(nonBlankText(tag['x-page-description']), MAX_SUMMARY)),
      ...ifPresent('description', cut(nonBlankText(tag.description), MAX_DESCRIPTION)),
      ...ifPresent('parent', upTo(MAX_TAG, nonBlankText(tag.parent) ?? nonBlankText(tag['x-parent']))),
      ...(isMarkedInternal(tag) && { isHidden: true }),
    },
  ];
}

function operationOf(
  specification: Specification,
  { kind, method, path, operationId, summary, tags, isDeprecated, body }: FoundOperation,
): OutlineOperation {
  const parameters = parametersOf(specification, body);
  const examples = examplesWithin(specification, body);
  const stability = nonBlankText(body['x-stability']);
  return {
    kind,
    method,
    path,
    tags,
    ...ifPresent('operationId', upTo(MAX_ID, operationId)),
    ...ifPresent('title', cut(nonBlankText(body['x-page-title']) ?? summary, MAX_TITLE)),
    ...ifPresent('icon', cut(nonBlankText(body['x-page-icon']), 50)),
    ...ifPresent('summary', cut(nonBlankText(body['x-page-description']), MAX_SUMMARY)),
    ...(isDeprecated && { isDeprecated }),
    ...(parameters.length > 0 && { parameters }),
    ...(examples.length > 0 && { examples: examples.map((example) => example.toWellFormed()) }),
    ...(stability !== null && STABILITIES.has(stability) && { stability }),
  };
}

function parametersOf(specification: Specification, { parameters }: JsonRecord): string[] {
  const list = Array.isArray(parameters) ? parameters.slice(0, MAX_PARAMETERS) : [];
  const names = list.flatMap(
    (parameter) => cut(nonBlankText(specification.follow(parameter)?.name ?? null), MAX_NAME) ?? [],
  );
  return [...new Set(names)];
}

const STABILITIES: ReadonlySet<JsonValue> = new Set(['experimental', 'alpha', 'beta']);

const ifPresent = <Name extends string>(name: Name, value: string | null | undefined) =>
  (value == null ? {} : { [name]: value }) as { [N in Name]?: string }; // a computed name widens to string

const cut = (text: string | null, max: number) => text?.slice(0, max).toWellFormed();

/** A name that would be another one if it was cut. */
const upTo = (max: number, name: string | null) => (name !== null && name.length <= max ? name : undefined);
