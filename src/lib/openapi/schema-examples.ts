import { isJsonRecord, type JsonRecord, type JsonValue } from './read-source.ts';
import { variantsOf } from './references.ts';
import type { Specification } from './specification.ts';

/** Examples of one value, and their length. Longer ones are left out. */
const MAX_EXAMPLES = 3;
const MAX_LENGTH = 100;

/** Examples of one operation that it is found by, and schemas that are searched for them. */
const MAX_FOUND = 30;
const MAX_VISITED = 300;

/** The examples of a schema, parameter or header: texts as they are, other values as JSON. */
export function examplesOf(value: JsonValue | undefined): string[] {
  if (!isJsonRecord(value)) return [];
  const own = [value.example, ...valuesOf(value.examples)].filter((each) => each !== undefined);
  const values = own.length > 0 ? own : isJsonRecord(value.schema) ? examplesOf(value.schema) : [];
  const texts = values.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  return [...new Set(texts)].filter((text) => text !== '' && text.length <= MAX_LENGTH).slice(0, MAX_EXAMPLES);
}

/** Examples of a schema are a list, those of parameters and headers have names. */
function valuesOf(examples: JsonValue | undefined): (JsonValue | undefined)[] {
  if (Array.isArray(examples)) return examples;
  return Object.values(isJsonRecord(examples) ? examples : {}).map((each) =>
    isJsonRecord(each) ? each.value : undefined,
  );
}

/** The examples of the parameters of an operation, and of the properties of its bodies. */
export function examplesWithin(
  specification: Specification,
  { parameters, requestBody, responses }: JsonRecord,
): string[] {
  const examples = new Set<string>();
  const seen = new Set<JsonRecord>();
  const queue: (JsonValue | undefined)[] = [];
  const add = (value: JsonValue | undefined) => {
    const target = specification.follow(value);
    if (!target || seen.has(target)) return;
    seen.add(target);
    for (const text of examplesOf(target)) examples.add(text);
    queue.push(target.schema, target.items, ...membersOf(target.properties), ...membersOf(target.content));
    queue.push(...variantsOf(target).map(([, $ref]) => ({ $ref })));
    for (const list of [target.allOf, target.oneOf, target.anyOf]) if (Array.isArray(list)) queue.push(...list);
  };
  queue.push(...(Array.isArray(parameters) ? parameters : []), requestBody, ...membersOf(responses));
  for (let at = 0; at < queue.length && seen.size < MAX_VISITED && examples.size < MAX_FOUND; at++) add(queue[at]);
  return [...examples].slice(0, MAX_FOUND);
}

const membersOf = (value: JsonValue | undefined) => Object.values(isJsonRecord(value) ? value : {});
