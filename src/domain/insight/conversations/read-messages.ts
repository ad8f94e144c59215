import { sql } from 'kysely';
import type { Database } from '../../../platform/database/tables.ts';

/** Messages that are read, and characters of each. */
const MAX_MESSAGES = 20;
const MAX_READ = 4_000;

/** The compared part of the visitor's texts in a conversation `c`. */
export const messagesOfVisitor = sql<string[]>`array(
  select left(p.value ->> 'body', ${sql.lit(MAX_READ)})
  from json_array_elements(c.parts) with ordinality as p(value, place)
  where p.value ->> 'role' = 'user' order by p.place limit ${sql.lit(MAX_MESSAGES)})`;

interface Messages {
  id: string;
  subject: string | null;
  messages: string[];
  /** Hexadecimal. */
  inputHash: string;
}

/** Texts of visitors, by the ids of conversations. Does not check access. */
export async function readMessages(db: Database, ids: readonly string[]): Promise<Map<string, Messages>> {
  const { rows } = await sql<Messages>`
    select c.id, c.subject, ${messagesOfVisitor} as messages, encode(c.input_hash, 'hex') as "inputHash"
    from conversation c where c.id = any(${[...ids]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
