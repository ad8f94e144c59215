import { z } from 'zod';
import { MINUTE_MS } from '../../lib/durations.ts';
import { recordOf } from '../../lib/is-record.ts';
import { parseOptions } from '../../lib/validation/describe-issue.ts';
import { flattenIssues } from '../../lib/validation/flatten-issues.ts';
import { isPublicCaller, requireScope, userRequired, visitsOf } from '../access/actor.ts';
import type { Scope } from '../access/scopes.ts';
import type { Context } from '../context/context.ts';
import type { ExpectedVersion } from '../context/expected-version.ts';
import { apiErrorOfConstraint, apiErrorOfContention } from '../database/constraints.ts';
import { allowLongStatements } from '../database/session.ts';
import { boundIssues, invalidInput, unauthenticated } from '../errors/errors.ts';
import { claimKey, claimOf, findOutcome, recordOutcome } from '../idempotency/claim.ts';
import {
  type KeyedOutcome,
  needsAccess,
  reloadOutcome,
  type StoredOutput,
  serializeOutput,
} from '../idempotency/outcome.ts';
import { type IdPrefix, PREFIXES } from '../ids/ids.ts';
import { lineText } from '../shapes/text.ts';
import { withCleanup } from './cleanup.ts';
import { checkCredentialFor } from './credential-check.ts';
import { withMutex } from './mutex.ts';
import { transact, withEffects } from './transact.ts';
import { rejectOtherVersion } from './version.ts';

/** An operation of the API. It validates the input and checks permissions. Both transports are made from it. */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output = unknown> {
  (ctx: Context, input: z.input<Input>, options?: CommandOptions): Promise<Output>;
  /** Name in the graph and in code: verb and noun. */
  readonly operationName: string;
  readonly kind: 'command' | 'query';
  /** Description in the GraphQL schema and in OpenAPI. */
  readonly description: string;
  readonly input: Input;
  /** Whether callers without an access token can use it on some resources. */
  readonly openToAnonymous: boolean;
  /** Whether visitors who preview a site can use it on some resources. */
  readonly openToPreviews: boolean;
  /** The scope that a restricted access token needs. Of several, one suffices. */
  readonly scope: Scope | readonly Scope[];
  /** Property of the input with the id of the resource whose version a request can expect. Of several, one is set. */
  readonly versioned?: string | readonly string[] | undefined;
  /**
   * Throws if the caller cannot use the operation on the resources that the ids name. For requests that are too
   * malformed to be an input, so that only permitted callers get details.
   */
  authorize(ctx: Context, raw: unknown): Promise<void>;
}

/** Options of a command that a request sets besides the input. */
export interface CommandOptions {
  /** The command runs at most once with the same key. */
  idempotencyKey?: unknown;
  /** The command only runs if its target has one of these versions. */
  expectedVersions?: readonly string[] | undefined;
}

interface Definition<Input extends z.ZodObject, Output, Prepared = undefined> {
  name: string;
  description: string;
  input: Input;
  /** Callers without a token are allowed. `run` then checks the permission. */
  openToAnonymous?: boolean;
  /** Visitors who preview a site are allowed. `run` then checks the permission. */
  openToPreviews?: true;
  /** The scope of a query that returns secrets. By default `read`. */
  scope?: Scope | readonly Scope[];
  /**
   * Throws if the caller does not have the permission on the target that the ids of the input name. Only called where
   * `run`, which checks permissions itself, is not: for invalid inputs, so that NOT_FOUND and FORBIDDEN take precedence
   * over BAD_USER_INPUT, and for repetitions with an idempotency key whose stored output contains no resource.
   * `rawInput` is the input, which may be unvalidated, in case the permission depends on it.
   */
  authorize?(ctx: Context, ids: Record<string, string>, rawInput: Record<string, unknown>): Promise<unknown>;
  run(ctx: Context, input: z.output<Input>, prepared: Prepared): Promise<Output>;
}

type MemberOf<Input extends z.ZodObject> = keyof z.input<Input> & string;

interface CommandDefinition<Input extends z.ZodObject, Output, Prepared> extends Definition<Input, Output, Prepared> {
  /** The scope that a restricted access token needs. Of several, one suffices. Commands that it calls need none. */
  scope: Scope | readonly Scope[];
  /**
   * A further scope that a restricted access token needs for this input, such as `admin` for settings that change
   * access.
   */
  scopeOf?(input: z.output<Input>): Scope | undefined;
  /** The command can take ten minutes and each of its statements two, instead of the configured limits. */
  takesLong?: true;
  /**
   * Property of the input with the id of the changed resource, if it is versioned (`recordVersion`). Several if it can
   * be named in several ways: the first that is set.
   */
  versioned?: MemberOf<Input> | readonly MemberOf<Input>[];
  /**
   * Key of a mutex: only one call per key runs at a time in this process, including its preparation. Undefined for a
   * call that need not wait. Must not be used by commands that other commands call.
   */
  mutexKey?(ctx: Context, input: z.output<Input>): Promise<string>;
  /**
   * Slow work outside of the transaction, such as reading an archive. It must not have effects that matter if the
   * command fails afterwards. `atEnd` closes what it opens.
   */
  prepare?(ctx: Context, input: z.output<Input>): Promise<Prepared>;
  /**
   * Runs the command with one `writeStatement` and without a transaction, for commands whose round trips count.
   * Undefined, with nothing written, where `run` must do it. Only called where neither a key nor a version of the
   * request needs a transaction.
   */
  runAtOnce?(ctx: Context, input: z.output<Input>, prepared: Prepared): Promise<Output | undefined>;
  /**
   * The input has a property `dryRun`. If it is true, everything that the command writes is rolled back, and a key is
   * not claimed: the output describes what the command would do, and must not refer to what it has written.
   */
  canDryRun?: true;
  /** Properties of the output that are returned only once. They are not stored and null in repetitions. */
  shownOnce?: readonly (keyof Output)[];
  /**
   * Makes the output of a repetition from the stored ids, and checks the caller's current access. Only needed if `node`
   * does not find the resources for the caller.
   */
  readAgain?(ctx: Context, stored: StoredOutput<NoInfer<Output>>): Promise<NoInfer<Output>>;
}

const LONG_COMMAND_MS = 10 * MINUTE_MS;

/**
 * An operation that writes. `run` runs in one transaction (READ COMMITTED), which is rolled back if it throws. Commands
 * that it calls join the transaction. It returns ids or rows. Payloads are read after the commit. Deadlocks and
 * serialization failures are retried. Two commands must not run concurrently on one context.
 *
 * With an idempotency key, `run` runs once. Repetitions return the stored output, with all resources loaded again with
 * the caller's current access. If it contains none, `authorize` checks the access instead, except for deletions. Errors
 * are not stored.
 */
export function command<Input extends z.ZodObject, Output, Prepared = undefined>(
  definition: CommandDefinition<Input, Output, Prepared>,
): Operation<Input, Output> {
  const { name, scope, scopeOf, versioned, takesLong, prepare, run, runAtOnce, shownOnce = [] } = definition;
  const act = async (ctx: Context, input: z.output<Input>, options: CheckedOptions) => {
    if (!ctx.inTransaction) ctx.services.disk.rejectKnownFull('database');
    if (takesLong) ctx.deadline?.setTimeLimit(LONG_COMMAND_MS);
    const isDryRun = definition.canDryRun === true && (input as { dryRun?: unknown }).dryRun === true; // a property of the input
    const claim = ctx.inTransaction || isDryRun ? undefined : claimOf(ctx, name, options.idempotencyKey, input);
    const earlier = claim && prepare ? await findOutcome(ctx.db, claim) : undefined;
    if (earlier) return repeated(definition, ctx, input, earlier);
    const prepared = (await prepare?.(ctx, input)) as Prepared; // undefined only where Prepared is
    if (ctx.inTransaction) return run(ctx, input, prepared);

    const expected = expectedOf(versioned, input, options);
    if (!claim && !expected && !isDryRun && runAtOnce) {
      const output = await withEffects((afterCommit) => runAtOnce({ ...ctx, afterCommit }, input, prepared));
      if (output !== undefined) return output;
    }
    const runInside = async (inside: Context) => {
      if (takesLong) await allowLongStatements(inside.db);
      const outcome = claim && (await claimKey(inside.db, claim));
      if (outcome) return outcome;
      await checkCredentialFor(inside, [scope, scopeOf?.(input)].flat());
      const output = await run(inside, input, prepared);
      rejectOtherVersion(inside);
      if (isDryRun) throw new RolledBack(output);
      if (claim) await recordOutcome(inside.db, claim, serializeOutput(output, shownOnce));
      return { output };
    };
    const done = await transact(ctx, runInside, expected).catch(outputOfDryRun<Output>);
    return 'output' in done ? done.output : repeated(definition, ctx, input, done);
  };
  return operation('command', definition, async (ctx, input, options) => {
    const key = ctx.inTransaction ? undefined : await definition.mutexKey?.(ctx, input);
    const runCommand = () => withCleanup(ctx, (scoped) => act(scoped, input, options));
    if (key === undefined) return runCommand();
    return withMutex(key, async () => {
      ctx.deadline?.signal.throwIfAborted();
      return runCommand();
    });
  });
}

/** Rolls back the transaction of a dry run. */
class RolledBack extends Error {
  readonly output: unknown;

  constructor(output: unknown) {
    super('Dry run: rolled back.');
    this.output = output;
  }
}

function outputOfDryRun<Output>(error: unknown): { output: Output } {
  if (error instanceof RolledBack) return { output: error.output as Output }; // that of the same command
  throw error;
}

/**
 * The versions that the request expects of the resource that the input names, by the first of the `versioned`
 * properties that is set.
 */
function expectedOf(
  versioned: string | readonly string[] | undefined,
  input: Record<string, unknown>,
  { expectedVersions: versions }: CheckedOptions,
): ExpectedVersion | undefined {
  if (!versions) return undefined;
  const members = [versioned ?? []].flat();
  // Empty is the id of no resource: a request that names none fails.
  const id = members.map((member) => input[member]).find((value) => value != null) ?? '';
  return { id: String(id), versions };
}

/** Reads with a new context, since this one may have cached older data. */
async function repeated<Input extends z.ZodObject, Output>(
  { input: schema, authorize, readAgain }: Repeatable<Input, Output>,
  ctx: Context,
  input: z.output<Input>,
  { stored }: KeyedOutcome,
): Promise<Output> {
  const fresh = { ...ctx };
  // The same command stored the output.
  if (readAgain) return readAgain(fresh, stored as StoredOutput<Output>);
  if (needsAccess(stored)) await authorize?.(fresh, idsOf(schema, input), recordOf(input));
  return reloadOutcome(fresh, stored) as Promise<Output>;
}

interface Repeatable<Input extends z.ZodObject, Output> extends Pick<Common<Input>, 'input' | 'authorize'> {
  readAgain?(ctx: Context, stored: StoredOutput<Output>): Promise<Output>;
}

/** An operation that reads. Its statements do not share a snapshot. */
export function query<Input extends z.ZodObject, Output>(
  definition: Definition<Input, Output>,
): Operation<Input, Output> {
  return operation('query', { scope: 'read', ...definition }, (ctx, input) => definition.run(ctx, input, undefined));
}

/** An id with a prefix. Accepts any string, since malformed ids are treated like ids of absent resources. */
export const idOf = (prefix: IdPrefix) =>
  z
    .string()
    .max(200)
    .meta({ prefix, description: `ID of the \`${PREFIXES[prefix]}\` (\`${prefix}_…\`).` });

function operation<Input extends z.ZodObject, Output>(
  kind: Operation['kind'],
  definition: Common<Input>,
  act: (ctx: Context, input: z.output<Input>, options: CheckedOptions) => Promise<Output>,
): Operation<Input, Output> {
  const run = async (ctx: Context, raw: z.input<Input>, options: CommandOptions = NO_OPTIONS) => {
    rejectAnonymous(ctx, definition);
    if (!ctx.inTransaction) requireScope(ctx.actor, definition.scope);
    try {
      const checked = await parseAfterAccess(ctx, definition, raw, options);
      const further = ctx.inTransaction ? undefined : definition.scopeOf?.(checked.input);
      if (further !== undefined) requireScope(ctx.actor, further);
      return await act(ctx, checked.input, checked.options);
    } catch (error) {
      ctx.services.disk.noteError(error);
      // Only the outermost command retries.
      const isOutermost = kind === 'command' && !ctx.inTransaction;
      throw apiErrorOfConstraint(error) ?? (isOutermost ? apiErrorOfContention(error) : undefined) ?? error;
    }
  };
  const { name, description, input, scope, versioned, openToAnonymous = false, openToPreviews = false } = definition;
  const authorize = async (ctx: Context, raw: unknown) => {
    rejectAnonymous(ctx, definition);
    requireScope(ctx.actor, definition.scope);
    await definition.authorize?.(ctx, idsOf(input, raw), recordOf(raw));
  };
  return Object.assign(run, {
    operationName: name,
    kind,
    description,
    input,
    scope,
    versioned,
    authorize,
    openToAnonymous,
    openToPreviews,
  });
}

interface OpenTo {
  openToAnonymous?: boolean;
  openToPreviews?: boolean;
}

/** Whether callers without an account can call an operation, if the caller is one. */
export function isOpenTo({ actor }: Context, { openToAnonymous, openToPreviews }: OpenTo): boolean {
  if (openToAnonymous || !isPublicCaller(actor)) return true;
  return openToPreviews === true && visitsOf(actor).some(({ isPreview }) => isPreview);
}

function rejectAnonymous(ctx: Context, open: OpenTo): void {
  if (!isOpenTo(ctx, open)) throw ctx.actor.kind === 'visitor' ? userRequired() : unauthenticated();
}

type Common<Input extends z.ZodObject> = Pick<
  Definition<Input, unknown>,
  'name' | 'description' | 'input' | 'openToAnonymous' | 'openToPreviews' | 'authorize'
> & {
  scope: Scope | readonly Scope[];
  scopeOf?(input: z.output<Input>): Scope | undefined;
  versioned?: string | readonly string[];
};

const commandOptions = z.object({
  idempotencyKey: lineText(1, 255).nullish(),
  expectedVersions: z.array(z.string()).readonly().optional(),
});

type CheckedOptions = z.output<typeof commandOptions>;

const NO_OPTIONS = {};

async function parseAfterAccess<Input extends z.ZodObject>(
  ctx: Context,
  { input, authorize }: Common<Input>,
  raw: unknown,
  options: CommandOptions,
): Promise<{ input: z.output<Input>; options: CheckedOptions }> {
  try {
    return { input: parse(input, raw), options: options === NO_OPTIONS ? NO_OPTIONS : parse(commandOptions, options) };
  } catch (apiError) {
    await authorize?.(ctx, idsOf(input, raw), recordOf(raw));
    throw apiError;
  }
}

/** The ids of an input. Values that are not strings become empty ids. */
function idsOf(schema: z.ZodObject, raw: unknown): Record<string, string> {
  const members = recordOf(raw);
  return Object.fromEntries(
    Object.keys(schema.shape).map((name) => {
      const value = members[name];
      return [name, typeof value === 'string' ? value.slice(0, 200) : ''];
    }),
  );
}

/** Validates an input. BAD_USER_INPUT with the paths of all issues. */
export function parse<Input extends z.ZodType>(schema: Input, raw: unknown): z.output<Input> {
  const result = schema.safeParse(raw, parseOptions);
  if (result.success) return result.data;
  throw invalidInput(boundIssues(flattenIssues(result.error.issues)));
}
