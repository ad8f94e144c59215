import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../src/schema.ts';

/** Where the graph stands in print. */
export const PRINTED_SCHEMA = join(import.meta.dirname, '..', 'schema.graphql');

/** The graph as the code makes it, in an order that does not depend on the code's. */
export const printedSchema = () => `${printSchema(lexicographicSortSchema(schema))}\n`;

if (import.meta.main) writeFileSync(PRINTED_SCHEMA, printedSchema());
