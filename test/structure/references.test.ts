import { ReferenceKind } from '@mikro-orm/core';
import { expect, test } from 'vitest';
import { world } from '../world.ts';

const { app } = await world();
const tables = [...app.services.em.getMetadata()];

/** Columns that are named like a table without a reference, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'space.revision_id': 'its current revision, which is a child of the space',
  'webhook_delivery.event_id': 'of the platform, whose events are removed earlier',
  'translation_memory.translation_id': 'the property `translation` is a text',
  'translation_edit.translation_id': 'the property `translation` is a text',
  'event.organization_id': 'a table of the platform, which does not know those of modules',
  'event.space_id': 'a table of the platform, which does not know those of modules',
  'event_consumer.event_id': 'a position, also after the event is removed',
};

const columnsOf = ({ props }: (typeof tables)[number], isReference: boolean) =>
  props
    .filter(({ kind }) => (kind === ReferenceKind.MANY_TO_ONE) === isReference)
    .flatMap(({ fieldNames = [] }) => fieldNames);

test('every column that is named after a table is a reference to its entity', () => {
  const named = new Set(
    tables.filter(({ primaryKeys }) => primaryKeys.join() === 'id').map(({ tableName }) => `${tableName}_id`),
  );
  const missing = tables.flatMap((table) => {
    const references = new Set(columnsOf(table, true));
    return columnsOf(table, false)
      .filter((column) => named.has(column) && !references.has(column))
      .map((column) => `${table.tableName}.${column}`);
  });
  expect(missing.sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});

test('every reference is to a table with an id, by a column that can be null if the reference can', () => {
  const references = tables.flatMap((table) =>
    table.props
      .filter(({ kind }) => kind === ReferenceKind.MANY_TO_ONE)
      .map((reference) => ({
        table,
        reference,
        column: table.props.find((prop) => prop !== reference && prop.fieldNames?.[0] === reference.fieldNames[0]),
      })),
  );
  expect(references.length).toBeGreaterThan(150);
  const wrong = references.filter(
    ({ reference, column }) =>
      !column ||
      Boolean(column.nullable) !== Boolean(reference.nullable) ||
      reference.targetMeta?.primaryKeys.join() !== 'id',
  );
  expect(wrong.map(({ table, reference }) => `${table.tableName}.${reference.name}`)).toEqual([]);
});
