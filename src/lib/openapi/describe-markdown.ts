import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import { examplesOf } from './schema-examples.ts';
import { describe, type SchemaPropertyRow, schemaRows } from './schema-rows.ts';
import { typeName } from './type-name.ts';

/** An operation to describe. */
export interface DescribedOperation {
  kind: 'path' | 'webhook';
  method: string;
  path: string;
  title: string;
  isDeprecated: boolean;
  /** The Operation Object with resolved references. */
  operation: JsonRecord;
}

/** Lengths of a description, and of an example as JSON. Longer examples are left out. */
const MAX_DESCRIPTION = 10_000;
const MAX_EXAMPLE = 4_000;

const PLACES = { path: 'Path parameters', query: 'Query parameters', header: 'Headers', cookie: 'Cookies' } as const;

/** An operation as the Markdown of a page: request, parameters, body and responses. */
export function describeOperation({ kind, method, path, title, isDeprecated, operation }: DescribedOperation): string {
  const address =
    kind === 'webhook'
      ? `${method.toUpperCase()} (webhook ${path})`
      : `${method.toUpperCase()} ${serverOf(operation)}${path}`;
  return sections([
    `## ${line(title)}`,
    isDeprecated ? '{% hint style="warning" %}\nThis operation is deprecated.\n{% endhint %}' : '',
    fenced('http', address),
    textOf(operation.description).slice(0, MAX_DESCRIPTION),
    ...Object.entries(PLACES).map(([place, heading]) => parameters(operation.parameters, place, heading)),
    requestBody(operation.requestBody),
    responses(operation.responses),
  ]);
}

/** Schemas as the Markdown of a page, each with a heading. */
export const describeSchemas = (schemas: readonly { name: string; schema: JsonValue }[]): string =>
  sections(
    schemas.flatMap(({ name, schema }) => [
      `## ${line(name)}`,
      isJsonRecord(schema) ? textOf(schema.description).slice(0, MAX_DESCRIPTION) : '',
      schemaPart(schema),
    ]),
  );

const sections = (parts: readonly string[]) => `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`;

function serverOf({ servers }: JsonRecord): string {
  const [first] = Array.isArray(servers) ? servers : [];
  const url = isJsonRecord(first) ? textOf(first.url) : '';
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

function parameters(value: JsonValue | undefined, place: string, heading: string): string {
  const matches = (Array.isArray(value) ? value : [])
    .filter(isJsonRecord)
    .filter((parameter) => parameter.in === place);
  const rows = matches.map((parameter) => ({
    ...describe(parameter.schema),
    name: textOf(parameter.name),
    isRequired: parameter.required === true,
    ...(typeof parameter.description === 'string' && { description: parameter.description }),
    examples: examplesOf(parameter),
  }));
  return rows.length === 0 ? '' : `### ${heading}\n\n${table(rows)}`;
}

function requestBody(body: JsonValue | undefined): string {
  if (!isJsonRecord(body)) return '';
  return sections(['### Request body', textOf(body.description), ...mediaTypes(body.content)]);
}

function responses(value: JsonValue | undefined): string {
  if (!isJsonRecord(value) || Object.keys(value).length === 0) return '';
  const parts = Object.entries(value).flatMap(([status, response]) => {
    const { description, content } = isJsonRecord(response) ? response : {};
    return [`#### ${line(`${status} ${textOf(description)}`)}`, ...mediaTypes(content)];
  });
  return sections(['### Responses', ...parts]);
}

function mediaTypes(content: JsonValue | undefined): string[] {
  if (!isJsonRecord(content)) return [];
  return Object.entries(content).flatMap(([name, media]) => {
    if (!isJsonRecord(media)) return [];
    return [`Content type: ${code(name)}`, schemaPart(media.schema), exampleOf(media) || exampleOf(media.schema)];
  });
}

function schemaPart(schema: JsonValue | undefined): string {
  if (schema === undefined) return '';
  const rows = schemaRows(schema);
  const type = typeName(schema);
  if (rows.length === 0) return `Type: ${code(type)}`;
  return type.startsWith('array') ? `Type: ${code(type)}\n\n${table(rows)}` : table(rows);
}

/** The first example of a media type or of a schema. */
function exampleOf(described: JsonValue | undefined): string {
  const { example, examples } = isJsonRecord(described) ? described : {};
  const [first] = isJsonRecord(examples) ? Object.values(examples) : [];
  const [listed] = Array.isArray(examples) ? examples : [];
  const value = example ?? listed ?? (isJsonRecord(first) ? first.value : undefined);
  if (value === undefined) return '';
  const printed = JSON.stringify(value, null, 2);
  return printed.length > MAX_EXAMPLE ? '' : fenced('json', printed);
}

function table(rows: readonly SchemaPropertyRow[]): string {
  const lines = rows.map(
    ({ name, type, isRequired, description, examples }) =>
      `| ${code(name)} | ${code(type)} | ${isRequired ? 'yes' : 'no'} | ${[cell(description), exampleText(examples)].filter(Boolean).join(' ')} |`,
  );
  return ['| Name | Type | Required | Description |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

const exampleText = (examples: readonly string[]) =>
  examples.length === 0 ? '' : `Example${examples.length > 1 ? 's' : ''}: ${examples.map(code).join(', ')}`;

const textOf = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');

/** Text on one line. */
const line = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 500);

const cell = (text: string) => line(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** A code span. Backticks would end it. */
const code = (text: string) => (text === '' ? '' : `\`${line(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``);

/** A fence that is longer than any in the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
