import { type ChangeReason, compareOperations } from './compare-operations.ts';
import { SchemaComparison } from './compare-schemas.ts';
import { type FoundOperation, operationsOf } from './operations.ts';
import { schemasOf } from './outline.ts';
import type { JsonValue } from './read-source.ts';
import type { Specification } from './specification.ts';

export type ChangeSubject = 'operation' | 'webhook' | 'schema';
export type ChangeKind = 'added' | 'removed' | 'changed';

/** A change of an operation, webhook or schema between two versions. */
export interface SpecificationChange {
  subject: ChangeSubject;
  kind: ChangeKind;
  /** `GET /pets`, the name of the webhook with its method, or the name of the schema. */
  name: string;
  isBreaking: boolean;
  /** What changed, breaking reasons first. */
  reasons: ChangeReason[];
}

const MAX_REASONS = 50;
const MAX_CHANGES = 5_000;

/**
 * The changes from one version to another: operations, webhooks and schemas that were added, removed or changed, in this
 * order, breaking changes first. A change is breaking if a client that follows the earlier version can fail: by sending
 * what is not accepted anymore, or by missing what it could rely on in responses.
 */
export function compareSpecifications(before: Specification, after: Specification): SpecificationChange[] {
  const schemas = new SchemaComparison(before, after);
  const [old, now] = [before, after].map(
    (each) => new Map(operationsOf(each).map((operation) => [nameOf(operation), operation])),
  );
  const changes: SpecificationChange[] = [];
  for (const [name, operation] of old ?? []) {
    const subject = operation.kind === 'webhook' ? ('webhook' as const) : ('operation' as const);
    const other = now?.get(name);
    if (!other) changes.push(removed(subject, name));
    else
      add(changes, { subject, kind: 'changed', name }, compareOperations({ before, after, schemas }, operation, other));
  }
  for (const [name, { kind }] of now ?? []) {
    if (!old?.has(name)) changes.push(added(kind === 'webhook' ? 'webhook' : 'operation', name));
  }
  const [oldSchemas, newSchemas] = [schemasOf(before.document), schemasOf(after.document)];
  for (const [name, schema] of Object.entries(oldSchemas)) {
    if (!(name in newSchemas)) changes.push({ ...removed('schema', name), isBreaking: false });
    else if (JSON.stringify(schema) !== JSON.stringify(newSchemas[name])) {
      add(changes, { subject: 'schema', kind: 'changed', name }, schemaReasons(schemas, schema, newSchemas[name]));
    }
  }
  for (const name of Object.keys(newSchemas)) if (!(name in oldSchemas)) changes.push(added('schema', name));
  return changes.toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking)).slice(0, MAX_CHANGES);
}

const nameOf = ({ method, path }: FoundOperation) => `${method.toUpperCase()} ${path}`;
const removed = (subject: ChangeSubject, name: string): SpecificationChange => ({
  subject,
  kind: 'removed',
  name,
  isBreaking: true,
  reasons: [],
});
const added = (subject: ChangeSubject, name: string): SpecificationChange => ({
  subject,
  kind: 'added',
  name,
  isBreaking: false,
  reasons: [],
});

function add(
  changes: SpecificationChange[],
  change: Pick<SpecificationChange, 'subject' | 'kind' | 'name'>,
  reasons: ChangeReason[],
): void {
  if (reasons.length === 0) return;
  const unique = [...new Map(reasons.map((reason) => [reason.message, reason])).values()];
  const sorted = unique.toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking)).slice(0, MAX_REASONS);
  changes.push({ ...change, isBreaking: sorted.some(({ isBreaking }) => isBreaking), reasons: sorted });
}

/** A schema may be used in requests and in responses. */
function schemaReasons(schemas: SchemaComparison, before: JsonValue, after: JsonValue | undefined): ChangeReason[] {
  const found = (['request', 'response'] as const).flatMap((direction) =>
    schemas.differences(before, after, direction).map(({ place, message, isBreaking }) => ({
      message: `${place === '' ? '' : `${place}: `}${message}${isBreaking ? ` (in ${direction}s)` : ''}`,
      isBreaking,
    })),
  );
  const breaking = new Set(
    found.filter(({ isBreaking }) => isBreaking).map(({ message }) => message.replace(/ \(in \w+\)$/, '')),
  );
  const reasons = found.filter(({ message, isBreaking }) => isBreaking || !breaking.has(message));
  return reasons.length > 0 ? reasons : [{ message: 'description or other annotations changed', isBreaking: false }];
}

/** Number of changes, for summaries. */
export const countBreaking = (changes: readonly SpecificationChange[]) =>
  changes.filter(({ isBreaking }) => isBreaking).length;
