import { type DecisionTable, decisionTables } from './decision-columns.ts';

/**
 * Triggers that give the organization a new version of its access when a row is inserted or deleted, or when a column
 * that decisions read changes. Triggers also see cascades, scripts and statements of operators, which a call in each
 * command would miss. A transaction gets one new version, however many rows it changes: others see it only when it
 * commits. Spelled as PostgreSQL prints it.
 */
export function changesAccess(table: DecisionTable) {
  const organizationId = table === 'organization' ? 'id' : 'organization_id';
  const body =
    'update access_version set version = gen_random_uuid() ' +
    `where organization_id in (old.${organizationId}, new.${organizationId}) ` +
    'and xmin <> pg_current_xact_id()::xid; return null';
  const differences = decisionTables[table].reads.map((column) => `(old.${column} IS DISTINCT FROM new.${column})`);
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
