import pg from 'pg';
import { onTestFinished } from 'vitest';
import { changesAccess, decisionColumns } from '../../src/domain/people/access/decision-entity.ts';
import { administer } from '../database.ts';

/** What transactions of a service have changed of what decisions read. */
export interface ChangesOfAccess {
  /** Tables with changes. */
  tables: Set<string>;
  /**
   * Changes of a table whose transaction has not locked the access of the organization first, each with its statements.
   */
  faults: Set<string>;
}

/** A connection, with the statements of its transaction. */
interface Watched {
  sent: string[];
  end(): void;
}

/**
 * Watches the transactions of the services on a database until the test ends. Triggers report changes, also those of
 * cascades, and whether the transaction has locked the row of `access_version`; its statements show how, and in which
 * order.
 */
export async function watchAccess(databaseUrl: string): Promise<ChangesOfAccess> {
  await administer(databaseUrl, REPORT);
  const triggers = [...decisionColumns].flatMap(([table, columns]) => reportsOf(table, columns));
  await administer(databaseUrl, triggers.join(';'));
  const found: ChangesOfAccess = { tables: new Set(), faults: new Set() };
  const clients = new Map<pg.Client, Watched>();
  const send = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const { sent } = clients.get(this) ?? watch(this);
    const text = textOf(given[0]);
    // Transactions begin and end with statements of their own.
    if (/^(begin|commit|rollback$)/.test(text) || !sent[0]?.startsWith('begin')) sent.length = 0;
    sent.push(text);
    return Reflect.apply(send, this, given);
  } as typeof send; // with all of its overloads
  const watch = (client: pg.Client): Watched => {
    const sent: string[] = [];
    const onNotice = ({ message = '' }: { message?: string | undefined }) => note(found, message, sent);
    client.on('notice', onNotice);
    const watched = { sent, end: () => client.off('notice', onNotice) };
    clients.set(client, watched);
    return watched;
  };
  onTestFinished(() => {
    pg.Client.prototype.query = send;
    for (const { end } of clients.values()) end();
  });
  return found;
}

/** The text of a statement, without the comment by which it is found behind a pooler. */
const textOf = (query: unknown): string =>
  (typeof query === 'string' ? query : String((query as { text?: string }).text ?? '')).replace(
    /^\/\*[^*]*\*\/\s*/,
    '',
  );

const PREFIX = 'access changes: ';

function note(found: ChangesOfAccess, message: string, sent: readonly string[]): void {
  if (!message.startsWith(PREFIX)) return;
  const [table = '', state] = message.slice(PREFIX.length).split(' ');
  found.tables.add(table);
  // The transaction has created the organization, or has been reported already.
  if (state === 'own') return;
  if (state === 'locked' && isLockedFirst(sent)) return;
  found.faults.add(`${table}: ${sent.map((text) => text.replaceAll(/\s+/g, ' ').trim()).join('; ')}`);
}

/** Whether the first statement that locks or writes anything locks the access, apart from the key of the command. */
function isLockedFirst(sent: readonly string[]): boolean {
  const first = sent.find((text) => LOCKS.test(text) && !text.includes('idempotency_key'));
  return first !== undefined && HOLDS.test(first);
}

const LOCKS = /\bfor (update|no key update|share|key share)\b|\b(insert into|update|delete from|merge into) /i;
const HOLDS = /\bfrom "?access_version"?\b[^;]*\bfor no key update\s*$|\bfor no key update of av\b/i;

/** A lock of a row is in its `xmax`, a change of it by the transaction in its `xmin`. */
const REPORT = `
  create or replace function report_access() returns trigger as $$
  declare
    concerned text[] := array_remove(array[
      to_jsonb(old) ->> tg_argv[0], to_jsonb(new) ->> tg_argv[0]], null);
    state text;
  begin
    select case
      when count(*) filter (where v.xmin <> pg_current_xact_id()::xid) = 0 then 'own'
      when bool_and(v.xmin = pg_current_xact_id()::xid or v.xmax = pg_current_xact_id()::xid) then 'locked'
      else 'open' end
    into state from access_version v where v.organization_id = any(concerned);
    raise notice '${PREFIX}% %', tg_table_name, state;
    return null;
  end $$ language plpgsql`;

/** Their name is before that of the triggers that change the version, so that they run first. */
function reportsOf(table: string, columns: readonly string[]): string[] {
  const column = table === 'organization' ? 'id' : 'organization_id';
  return changesAccess(table, columns).map(
    ({ events, ...rest }, index) => `
      create or replace trigger a_report_${index} after ${events.join(' or ')} on "${table}" for each row
      ${'when' in rest ? `when ${rest.when}` : ''} execute function report_access('${column}')`,
  );
}
