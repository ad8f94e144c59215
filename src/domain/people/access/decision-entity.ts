import { defineEntity, type EntitySchema } from '@mikro-orm/core';
import { columnOf } from '../../../platform/database/column-names.ts';

/** Builders of properties whose columns decide about access. */
const deciding = new WeakSet<object>();

/**
 * Marks a column that decisions about access read: its changes give the organization a new version of its access. The
 * table must be declared by `defineDecisionEntity`. A test runs the rule's SQL with the right to read only marked
 * columns.
 */
export function decides<Builder extends object>(builder: Builder): Builder {
  deciding.add(builder);
  return builder;
}

/**
 * Marked columns by table. `user.is_operator`, sessions, API tokens and identity providers are not part of an
 * organization's access: they are remembered for four seconds.
 */
const columnsByTable = new Map<string, readonly string[]>();

/** The columns of each table that decisions about access read. */
export const decisionColumns: ReadonlyMap<string, readonly string[]> = columnsByTable;

/** Whether decisions about access read the table, so that its rows are changed under the lock of the access. */
export const isDecisionTable = (table: string): boolean => columnsByTable.has(table);

interface DecisionTable {
  tableName?: string;
  properties: Record<string, object>;
  triggers?: readonly object[];
}

function define({ triggers = [], ...table }: DecisionTable): EntitySchema {
  const { tableName = '', properties } = table;
  const marked = Object.entries(properties).filter(([, builder]) => deciding.has(builder));
  const columns = marked.map(([property]) => columnOf(property));
  columnsByTable.set(tableName, columns);
  return defineEntity({ ...table, triggers: [...triggers, ...changesAccess(tableName, columns)] } as never);
}

/** Defines an entity with columns that decide about access, and the triggers that watch them. */
export const defineDecisionEntity = define as unknown as typeof defineEntity; // which infers types of rows

/**
 * Triggers that give the organization a new version of its access when a row is inserted or deleted, or when one of the
 * columns changes. Triggers also see cascades, scripts and statements of operators, which a call in each command would
 * miss. A transaction gets one new version, however many rows it changes: others see it only when it commits. Spelled
 * as PostgreSQL prints it.
 */
export function changesAccess(table: string, columns: readonly string[]) {
  const organizationId = table === 'organization' ? 'id' : 'organization_id';
  const body =
    'update access_version set version = gen_random_uuid() ' +
    `where organization_id in (old.${organizationId}, new.${organizationId}) ` +
    'and xmin <> pg_current_xact_id()::xid; return null';
  const differences = columns.map((column) => `(old.${column} IS DISTINCT FROM new.${column})`);
  const shared = { timing: 'after' as const, body };
  return [
    { ...shared, name: 'access_rows', events: ['insert' as const, 'delete' as const] },
    { ...shared, name: 'access_columns', events: ['update' as const], when: `(${differences.join(' OR ')})` },
  ];
}

/** Triggers that create the version of a new organization and remove it with the organization. */
export const hasAccessVersion = () => [
  {
    name: 'access_created',
    timing: 'after' as const,
    events: ['insert' as const],
    body:
      'insert into access_version (organization_id, version) values (new.id, gen_random_uuid()) ' +
      'on conflict do nothing; return null',
  },
  {
    name: 'access_removed',
    timing: 'after' as const,
    events: ['delete' as const],
    body: 'delete from access_version where organization_id = old.id; return null',
  },
];
