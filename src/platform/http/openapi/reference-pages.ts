import { escapeAttribute, escapeHtml } from '../../../lib/document/markdown/entities.ts';
import { describeOperation, describeSchemas } from '../../../lib/openapi/describe-markdown.ts';
import { type FoundOperation, operationsOf } from '../../../lib/openapi/operations.ts';
import { schemasOf } from '../../../lib/openapi/outline.ts';
import { isJsonRecord, type JsonRecord } from '../../../lib/openapi/read-source.ts';
import { resolveForReaders } from '../../../lib/openapi/resolve.ts';
import { Specification } from '../../../lib/openapi/specification.ts';
import { markdownToHtml } from '../pages/handbook-html.ts';
import { htmlPage, MARK } from '../pages/layout.ts';
import type { OpenApiObject } from './json.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

const BASE = '/docs';
const SCHEMAS = 'schemas/';

/**
 * The pages of the reference: an overview by tag, one for each operation, and one for each schema. They need no
 * scripts.
 */
export class ReferencePages {
  readonly #specification: Specification;
  readonly #operations: ReadonlyMap<string, FoundOperation>;
  readonly #tags: { name: string; description: string; operations: FoundOperation[] }[];

  constructor(document: OpenApiObject) {
    const specification = document as JsonRecord; // made of JSON values
    this.#specification = new Specification([{ filename: '', isEntrypoint: true, specification }]);
    const operations = operationsOf(this.#specification);
    this.#operations = new Map(operations.map((operation) => [nameOf(operation), operation]));
    const tags = (Array.isArray(specification.tags) ? specification.tags : []).filter(isJsonRecord);
    this.#tags = tags.map(({ name, description }) => ({
      name: String(name),
      description: String(description),
      operations: operations.filter((operation) => operation.tags[0] === name),
    }));
  }

  /** Whether there is a page: the overview with the empty name, an id of an operation, or `schemas/` and a name. */
  has(name: string): boolean {
    return name === '' || this.#operations.has(name) || this.#schema(name) !== undefined;
  }

  /** The HTML of a page that there is. */
  async page(name: string): Promise<string> {
    const operation = this.#operations.get(name);
    if (operation) return this.#operationPage(operation);
    return name === '' ? this.#overview() : this.#schemaPage(name.slice(SCHEMAS.length));
  }

  /** The operations that have all words of a query in their name, path, description or parameters, names first. */
  async results(query: string): Promise<string> {
    const words = query.toLowerCase().split(/\s+/);
    const hasAll = (text: string) => words.every((word) => text.includes(word));
    const all = [...this.#operations.values()].filter((operation) => hasAll(this.#textOf(operation)));
    const isNamed = ({ summary, operationId }: FoundOperation) => hasAll(`${summary} ${operationId}`.toLowerCase());
    const sorted = all.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
    const count = sorted.length === 1 ? '1 operation' : `${sorted.length} operations`;
    const heading = `<h1>${count} with “${escapeHtml(query)}”</h1>`;
    return this.#layout(`Search: ${query}`, `${heading}${list(sorted)}`, { query });
  }

  async #overview(): Promise<string> {
    const { info } = this.#specification.document;
    const { title, version, description } = isJsonRecord(info) ? info : {};
    const intro = await html(String(description));
    const links =
      '<p><a href="/v1/openapi.json">OpenAPI 3.1 description</a> · <a href="/graphql">GraphQL explorer</a> · <a href="/handbook">Handbook</a></p>';
    const sections = this.#tags.map(
      (tag) =>
        `<section><h2 id="${idOf(tag.name)}">${escapeHtml(tag.name)}</h2><p>${escapeHtml(tag.description)}</p>${list(tag.operations)}</section>`,
    );
    const names = Object.keys(schemasOf(this.#specification.document)).map(
      (name) => `<li><a href="${BASE}/${SCHEMAS}${encodeURIComponent(name)}">${escapeHtml(name)}</a></li>`,
    );
    const schemas = `<section><h2 id="schemas">Schemas</h2><ul class="names">${names.join('')}</ul></section>`;
    const heading = `<h1>${escapeHtml(`${title} REST API`)} <small>${escapeHtml(String(version))}</small></h1>`;
    return this.#layout('REST reference', `${heading}${intro}${links}${sections.join('')}${schemas}`, {});
  }

  async #operationPage(operation: FoundOperation): Promise<string> {
    const { method, path, body, summary, isDeprecated } = operation;
    const object = this.#resolved({ ...body, responses: this.#withoutErrorBodies(body.responses) });
    const title = summary ?? `${method.toUpperCase()} ${path}`;
    const markdown = describeOperation({ kind: 'path', method, path, title, isDeprecated, operation: object });
    const main = `${(await html(markdown)).replace(/<(\/?)h([2-5])/g, (_, end, level) => `<${end}h${level - 1}`)}${call(operation, object)}`;
    return this.#layout(title, main, { operation });
  }

  async #schemaPage(name: string): Promise<string> {
    const schema = this.#resolved({ $ref: `#/components/schemas/${name}` });
    const main = (await html(describeSchemas([{ name, schema }]))).replace(/<(\/?)h2/g, '<$1h1');
    return this.#layout(name, main, {});
  }

  #schema(name: string) {
    const schemas = schemasOf(this.#specification.document);
    const schemaName = name.slice(SCHEMAS.length);
    return name.startsWith(SCHEMAS) && Object.hasOwn(schemas, schemaName) ? schemas[schemaName] : undefined;
  }

  #resolved(value: JsonRecord): JsonRecord {
    const resolved = resolveForReaders(value, (ref) => this.#specification.part(ref));
    return isJsonRecord(resolved) ? resolved : {};
  }

  /** All errors have the same body, which the description of the API says once. */
  #withoutErrorBodies(responses: JsonRecord[string] | undefined): JsonRecord {
    const entries = Object.entries(isJsonRecord(responses) ? responses : {});
    return Object.fromEntries(
      entries.map(([status, response]) => {
        const { description = '' } = this.#specification.follow(response) ?? {};
        return [status, Number(status) < 400 ? response : { description }];
      }),
    );
  }

  #textOf({ method, path, operationId, summary, body, tags }: FoundOperation): string {
    const parameters = (Array.isArray(body.parameters) ? body.parameters : []).map(
      (parameter) => this.#specification.follow(parameter)?.name,
    );
    return [method, path, operationId, summary, body.description, ...tags, ...parameters].join('\n').toLowerCase();
  }

  #layout(
    title: string,
    main: string,
    { operation, query = '' }: { operation?: FoundOperation; query?: string },
  ): string {
    const tag = operation?.tags[0];
    const items = this.#tags.map(({ name, operations }) => {
      const link = `<a href="${BASE}#${idOf(name)}">${escapeHtml(name)}</a>`;
      const below = operations.map((entry) => {
        const current = entry === operation ? ' aria-current="page"' : '';
        return `<li><a href="${hrefOf(entry)}"${current}>${escapeHtml(entry.summary ?? entry.path)}</a></li>`;
      });
      return `<li>${link}${name === tag ? `<ul>${below.join('')}</ul>` : ''}</li>`;
    });
    const search = `<form role="search" action="${BASE}"><input type="search" name="q" aria-label="Search the reference" placeholder="Search the reference" value="${escapeAttribute(query)}" maxlength="200"><button>Search</button></form>`;
    return htmlPage({
      title: `${escapeHtml(title)} · Stemma`,
      description: `${escapeAttribute(title)}: REST reference of Stemma.`,
      style: REFERENCE_STYLE,
      body: `<header><a class="brand" href="/">${MARK} Stemma</a><a href="${BASE}">REST reference</a>${search}<a class="jump" href="#contents">Contents</a></header>
<div class="columns">
<main>${main}</main>
<nav id="contents" aria-label="Contents of the reference"><ul>${items.join('')}<li><a href="${BASE}#schemas">Schemas</a></li></ul></nav>
</div>`,
    });
  }
}

const nameOf = ({ operationId, method, path }: FoundOperation) => operationId ?? `${method} ${path}`;
const hrefOf = (operation: FoundOperation) => `${BASE}/${encodeURIComponent(nameOf(operation))}`;
const idOf = (tag: string) => `tag-${encodeURIComponent(tag.toLowerCase().replaceAll(' ', '-'))}`;

const html = (markdown: string) => markdownToHtml(markdown, { linkTo: (url) => url, imageAt: async (path) => path });

const list = (operations: readonly FoundOperation[]) =>
  `<ul class="operations">${operations
    .map(
      (operation) =>
        `<li><a href="${hrefOf(operation)}">${escapeHtml(operation.summary ?? operation.path)}</a> <code><b>${operation.method.toUpperCase()}</b> ${escapeHtml(operation.path)}</code></li>`,
    )
    .join('')}</ul>`;

/** The operation as a command to copy. */
function call({ method, path }: FoundOperation, { servers, requestBody }: JsonRecord): string {
  const [server] = Array.isArray(servers) ? servers : [];
  const url = `${isJsonRecord(server) ? server.url : ''}${path}`;
  const [type, media] =
    Object.entries(isJsonRecord(requestBody) && isJsonRecord(requestBody.content) ? requestBody.content : {})[0] ?? [];
  const example = isJsonRecord(media) && media.example !== undefined ? JSON.stringify(media.example) : '{}';
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${url}'`,
    `-H 'authorization: Bearer stemma_…'`,
    ...(type === undefined ? [] : [`-H 'content-type: ${type}'`]),
    ...(type === undefined
      ? []
      : [type === 'application/json' ? `-d '${example.replaceAll("'", "'\\''")}'` : '--data-binary @file']),
  ];
  return `<h2>Example request</h2><pre><code>${escapeHtml(lines.join(' \\\n  '))}</code></pre>`;
}
