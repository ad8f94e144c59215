import { assemble } from '../../../src/lib/openapi/assemble.ts';
import { compareSpecifications } from '../../../src/lib/openapi/compare.ts';
import { Specification } from '../../../src/lib/openapi/specification.ts';

type Json = Record<string, unknown>;

export const specificationOf = (document: Json) => {
  const assembled = assemble([{ location: 'api.json', text: JSON.stringify(document) }]);
  if ('missing' in assembled) throw new Error(assembled.missing.join());
  return new Specification(assembled.files);
};

export const compared = (before: Json, after: Json) =>
  compareSpecifications(specificationOf(before), specificationOf(after));

/** Reasons by whether they are breaking. What was added or removed as a whole is named by its subject. */
export function reasonsOf(before: Json, after: Json) {
  const found = compared(before, after)
    .filter(({ subject }) => subject !== 'schema')
    .flatMap(({ subject, kind, name, isBreaking, reasons }) =>
      kind === 'changed' ? reasons : [{ message: `${subject} ${name} ${kind}`, isBreaking }],
    );
  const messages = (isBreaking: boolean) =>
    found.filter((reason) => reason.isBreaking === isBreaking).map(({ message }) => message);
  return { breaking: messages(true), others: messages(false) };
}

const JSON_TYPE = 'application/json';

/** A description with one operation. OpenAPI 3.1 unless another version is given. */
export const api = (operation: Json, rest: Json = {}) => ({
  openapi: '3.1.0',
  info: { title: 'API', version: '1' },
  paths: { '/things': { post: { responses: { 200: { description: 'ok' } }, ...operation } } },
  ...rest,
});

const content = (schema: unknown) => ({ [JSON_TYPE]: { schema } });

/** With a schema as the body that clients send. */
export const sending = (schema: unknown, schemas: Json = {}, rest: Json = {}) =>
  api({ requestBody: { required: true, content: content(schema) } }, { components: { schemas }, ...rest });

/** With a schema as the body that clients receive. */
export const receiving = (schema: unknown, schemas: Json = {}, rest: Json = {}) =>
  api({ responses: { 200: { description: 'ok', content: content(schema) } } }, { components: { schemas }, ...rest });

export const withParameters = (...parameters: Json[]) => api({ parameters });
