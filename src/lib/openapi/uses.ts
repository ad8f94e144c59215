import type { MessageDirection } from './differences.ts';
import type { FoundOperation } from './operations.ts';
import { isJsonRecord, type JsonValue } from './read-source.ts';
import { pointerOf } from './references.ts';
import type { Specification } from './specification.ts';

/** Whether clients send or receive what a schema describes, by its name. */
export type Uses = (name: string) => ReadonlySet<MessageDirection>;

/** The uses of the schemas by operations. Where there are no operations, schemas are for both. */
export function schemaUses(specification: Specification, operations: readonly FoundOperation[]): Uses {
  if (operations.length === 0) return () => new Set(['request', 'response']);
  const parts: Record<MessageDirection, JsonValue[]> = { request: [], response: [] };
  const add = ({ parameters, requestBody, responses }: FoundOperation['body'], isReversed: boolean) => {
    parts[isReversed ? 'response' : 'request'].push(parameters ?? null, requestBody ?? null);
    parts[isReversed ? 'request' : 'response'].push(named(responses));
  };
  for (const { kind, body } of operations) {
    add(body, kind === 'webhook');
    // Which message of a callback has the schema is not told apart here.
    for (const each of Object.values(parts)) each.push(named(body.callbacks, 'callbacks'));
  }
  const sent = new Set(specification.dependencies(parts.request, Number.POSITIVE_INFINITY));
  const received = new Set(specification.dependencies(parts.response, Number.POSITIVE_INFINITY));
  return (name) => {
    const ref = pointerOf(['components', 'schemas', name]);
    const directions = new Set<MessageDirection>();
    if (sent.has(ref)) directions.add('request');
    if (received.has(ref)) directions.add('response');
    return directions;
  };
}

/** Within their member, so that the names of responses and callbacks are not read as keywords. */
const named = (value: JsonValue | undefined, member = 'responses'): JsonValue =>
  isJsonRecord(value) ? { [member]: value } : null;
