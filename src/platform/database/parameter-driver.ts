import {
  type AnyEntity,
  type Dictionary,
  type EntityData,
  isRaw,
  type LoggingOptions,
  type QueryResult,
  type RawQueryFragment,
  type Transaction,
} from '@mikro-orm/core';
import { NativeQueryBuilder, PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { CompiledQuery, type ControlledTransaction, type Kysely } from 'kysely';
import { measureStatement, meterIn } from './statement-meter.ts';

/** The ORM's PostgreSQL driver with separate parameters. */
export class ParameterDriver extends PostgreSqlDriver {
  protected override readonly connection = new ParameterConnection(this.config);
}

/**
 * Sends the values of the unit of work as parameters, like the query builder. By default, the ORM would insert them
 * into the text. With parameters, plans are reused, traces contain no values, and no value needs quoting.
 */
class ParameterConnection extends PostgreSqlConnection {
  override async execute<Result extends QueryResult | EntityData<AnyEntity> | EntityData<AnyEntity>[]>(
    query: string | NativeQueryBuilder | RawQueryFragment,
    params: readonly unknown[] | Dictionary<unknown> = [],
    method: 'all' | 'get' | 'run' = 'all',
    transaction?: Transaction<ControlledTransaction<unknown>>,
    context?: LoggingOptions,
  ): Promise<Result> {
    const raw = query instanceof NativeQueryBuilder ? query.toRaw() : query;
    const { sql, params: values } = isRaw(raw) ? raw : { sql: raw, params };
    const statement = Array.isArray(values) ? compile(sql, values) : undefined;
    if (!statement) return super.execute<Result>(raw, params, method, transaction, context);
    await this.ensureConnection();
    const client: Kysely<unknown> = transaction ?? this.getClient();
    const result = await measureStatement(meterIn(context), () => client.executeQuery(statement));
    return this.transformRawResult<Result>(result, method);
  }
}

/**
 * Replaces `?` by `$1`, `$2` …, and by the text of fragments such as `"version" + 1`. Undefined if the text contains
 * other placeholders of the ORM (`??`, `\?`), or for values that the ORM sends in another way.
 */
function compile(sql: string, values: readonly unknown[]): CompiledQuery | undefined {
  if (/\?\?|\\\?/.test(sql)) return undefined;
  const parameters: unknown[] = [];
  const [first = '', ...parts] = sql.split('?');
  let text = first;
  for (const [index, part] of parts.entries()) {
    const value = values[index];
    if (isFragment(value)) text += value.sql;
    else if (isScalar(value)) text += `$${parameters.push(value)}`;
    else return undefined;
    text += part;
  }
  return CompiledQuery.raw(text, parameters);
}

/** Whether a value is SQL without values of its own. */
const isFragment = (value: unknown): value is RawQueryFragment => isRaw(value) && value.params.length === 0;

/** Whether the driver and the ORM send a value in the same way. */
const isScalar = (value: unknown) =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  Buffer.isBuffer(value) ||
  isTexts(value);

/** For conditions such as `id = any(?)`. The ORM gives columns of arrays as text. */
const isTexts = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string');
