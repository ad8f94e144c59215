import { compareOperations, serverReasons } from './compare-operations.ts';
import { type ComparedVersions, SchemaComparison } from './compare-schemas.ts';
import type { ChangeReason, MessageDirection } from './differences.ts';
import { matchOperations } from './match-operations.ts';
import { type FoundOperation, operationsOf } from './operations.ts';
import { schemasOf } from './outline.ts';
import type { JsonValue } from './read-source.ts';
import type { Specification } from './specification.ts';
import { schemaUses, type Uses } from './uses.ts';

export type ChangeSubject = 'operation' | 'webhook' | 'schema' | 'specification';
export type SpecificationChangeKind = 'added' | 'removed' | 'changed';

/** A change of an operation, webhook or schema between two versions. */
export interface SpecificationChange {
  subject: ChangeSubject;
  kind: SpecificationChangeKind;
  /** `GET /pets`, the name of the webhook with its method, the name of the schema, or `servers`. */
  name: string;
  isBreaking: boolean;
  /** Differences, breaking ones first. */
  reasons: ChangeReason[];
}

const MAX_REASONS = 50;
const MAX_CHANGES = 5_000;

/**
 * The changes from one version to another: operations, webhooks and schemas that were added, removed or changed, in
 * this order, breaking changes first. A change is breaking if a client that follows the earlier version can fail: its
 * requests may be rejected, or responses may lack values that it could rely on.
 */
export function compareSpecifications(before: Specification, after: Specification): SpecificationChange[] {
  const versions = { before, after, schemas: new SchemaComparison(before, after) };
  const changes: SpecificationChange[] = [];
  const [was, is] = [operationsOf(before), operationsOf(after)];
  const { pairs, removed, added } = matchOperations(was, is);
  for (const operation of removed) changes.push({ ...change(operation, 'removed'), isBreaking: true });
  for (const pair of pairs) add(changes, change(pair.before, 'changed'), compareOperations(versions, pair));
  // As they are in the specification.
  const order = new Map(was.map((operation, index) => [nameOf(operation), index]));
  changes.sort((one, other) => (order.get(one.name) ?? 0) - (order.get(other.name) ?? 0));
  for (const operation of added) changes.push(change(operation, 'added'));
  changes.push(...schemaChanges(versions, schemaUses(before, was)));
  const serversChange = { ...change(null, 'changed'), name: 'servers' };
  add(changes, serversChange, serverReasons(before.document.servers, after.document.servers));
  return changes.toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking)).slice(0, MAX_CHANGES);
}

function schemaChanges({ before, after, schemas }: ComparedVersions, uses: Uses): SpecificationChange[] {
  const changes: SpecificationChange[] = [];
  const [old, now] = [schemasOf(before.document), schemasOf(after.document)];
  const named = (name: string, kind: SpecificationChangeKind): SpecificationChange => ({
    subject: 'schema',
    kind,
    name,
    isBreaking: false,
    reasons: [],
  });
  for (const [name, schema] of Object.entries(old)) {
    if (!Object.hasOwn(now, name)) changes.push(named(name, 'removed'));
    else if (JSON.stringify(schema) !== JSON.stringify(now[name])) {
      const pair = [schema, now[name]] as const;
      add(changes, named(name, 'changed'), schemaReasons(schemas, pair, uses(name)));
    }
  }
  for (const name of Object.keys(now)) if (!Object.hasOwn(old, name)) changes.push(named(name, 'added'));
  return changes;
}

function change(operation: FoundOperation | null, kind: SpecificationChangeKind): SpecificationChange {
  const name = operation ? nameOf(operation) : '';
  const subject = operation === null ? 'specification' : operation.kind === 'webhook' ? 'webhook' : 'operation';
  return { subject, kind, name, isBreaking: false, reasons: [] };
}

const nameOf = ({ method, path }: FoundOperation) => `${method.toUpperCase()} ${path}`;

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

/** Breaking is what breaks the messages that the earlier version uses the schema in. */
function schemaReasons(
  schemas: SchemaComparison,
  [before, after]: readonly [JsonValue, JsonValue | undefined],
  directions: ReadonlySet<MessageDirection>,
): ChangeReason[] {
  const candidates = (['request', 'response'] as const).flatMap((direction) =>
    schemas.differences(before, after, direction).map(({ place, message, ...difference }) => {
      const isBreaking = difference.isBreaking && directions.has(direction);
      return {
        message: `${place === '' ? '' : `${place}: `}${message}${isBreaking ? ` (in ${direction}s)` : ''}`,
        isBreaking,
      };
    }),
  );
  const breaking = new Set(
    candidates.filter(({ isBreaking }) => isBreaking).map(({ message }) => message.replace(/ \(in \w+\)$/, '')),
  );
  const reasons = candidates.filter(({ message, isBreaking }) => isBreaking || !breaking.has(message));
  return reasons.length > 0 ? reasons : [{ message: 'description or other annotations changed', isBreaking: false }];
}

/** Number of changes, for summaries. */
export const countBreaking = (changes: readonly SpecificationChange[]) =>
  changes.filter(({ isBreaking }) => isBreaking).length;
