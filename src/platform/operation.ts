import { z } from 'zod';
import type { Context } from './context.ts';
import { apiErrorOfConstraint } from './database/constraints.ts';
import { allowLongStatements } from './database/statements.ts';
import { ApiError, boundIssues, type Issue, unauthenticated } from './errors.ts';
import { claimOf, findOutcome, recordOutcome, takeKey } from './idempotency/claim.ts';
import { type Kept, keep, type Outcome, readAnew } from './idempotency/outcome.ts';
import { type IdPrefix, PREFIXES } from './ids.ts';
import { withMutex } from './mutex.ts';
import { inScope } from './scope.ts';
import { lineOf } from './text.ts';
import { transact } from './transact.ts';
import { rejectOtherVersion } from './version.ts';

/** A use case. Call it with untrusted input: it validates, authorizes and acts. Both transports are made from it. */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output = unknown> {
  (ctx: Context, input: z.input<Input>, terms?: Terms): Promise<Output>;
  /** The name in the graph and in code: verb and noun. */
  readonly operationName: string;
  readonly kind: 'command' | 'query';
  /** What it does, for people who read the schema of the graph or the description of REST. */
  readonly description: string;
  readonly input: Input;
  /** Whether callers without an access token may do it to something. */
  readonly openToAnonymous: boolean;
  /** The member of the input that names the resource whose version a request may expect. */
  readonly versioned?: string | undefined;
  /**
   * Refuses who may not call it at all, or not on what the ids in this name: for a request that cannot even be put together as
   * an input. Whoever is let through learns what is wrong with it.
   */
  authorize(ctx: Context, raw: unknown): Promise<void>;
}

/** What a request may ask of a command beside its input, by either transport. Queries have none. */
export interface Terms {
  /** The command is done at most once under it (docs/decisions.md, Idempotency). */
  idempotencyKey?: unknown;
  /** The command is done only while its target is in one of these versions. */
  expectedVersions?: readonly string[] | undefined;
}

interface Definition<Input extends z.ZodObject, Output, Prepared = undefined> {
  name: string;
  description: string;
  input: Input;
  /** Whether a caller without a token may get as far as the body; the body then decides by what it finds. */
  openToAnonymous?: boolean;
  /**
   * Refuses who may not do this to the target that the input's ids name. Asked only when the rest of the input is not
   * valid, so that a caller who may not even see the target learns that and nothing else (docs/decisions.md, Permissions: 404 and
   * 403 come before 400); `run` checks for itself. `given` is the input as it came, where what is asked for decides who may.
   */
  authorize?(ctx: Context, ids: Record<string, string>, given: Record<string, unknown>): Promise<unknown>;
  run(ctx: Context, input: z.output<Input>, prepared: Prepared): Promise<Output>;
}

interface CommandDefinition<Input extends z.ZodObject, Output, Prepared> extends Definition<Input, Output, Prepared> {
  /** It may take ten minutes, and each of its statements two, whatever the settings give others. */
  takesLong?: true;
  /** The member of the input that names what is changed, where that has a version (`compareVersion`). */
  versioned?: keyof z.input<Input> & string;
  /**
   * A name under which only one call runs at a time in this process, preparation included: for commands that hold
   * what many want. It must not be asked for inside another command.
   */
  turn?(ctx: Context, input: z.output<Input>): Promise<string>;
  /**
   * Slow work that needs no transaction (reading an archive, parsing). It must not change anything that would matter
   * if the command went no further; what it opens is closed by `atEnd`.
   */
  prepare?(ctx: Context, input: z.output<Input>): Promise<Prepared>;
  /** Members of the output that are shown this once: nobody keeps them, and a repetition answers null for each. */
  shownOnce?: readonly (keyof Output)[];
  /**
   * Makes the output of a repetition out of the ids that were kept. Needed only where `node` does not show the caller
   * what the command did.
   */
  readAgain?(ctx: Context, kept: Kept<NoInfer<Output>>): Promise<NoInfer<Output>>;
}

const LONG_COMMAND_MS = 600_000;
const LONG_STATEMENT_MS = 120_000;

/**
 * An operation that writes. The body runs in one transaction (READ COMMITTED): a throw rolls all of it back, and a
 * command that calls another joins its transaction. It answers with ids or rows; what a payload shows is read after it.
 * A deadlock or serialization failure runs the body again. Never run two commands at once on one context.
 *
 * Under an idempotency key the body runs once. A repetition answers from the ids that the output had: everything in it
 * that has an `id` is read anew, by the caller's rights. Refusals are not kept.
 */
export function command<Input extends z.ZodObject, Output, Prepared = undefined>(
  definition: CommandDefinition<Input, Output, Prepared>,
): Operation<Input, Output> {
  const { name, versioned, takesLong, prepare, shownOnce = [] } = definition;
  const act = async (ctx: Context, input: z.output<Input>, { idempotencyKey, expectedVersions }: CheckedTerms) => {
    if (takesLong) ctx.work?.giveTime(LONG_COMMAND_MS);
    const claim = ctx.inTransaction ? undefined : claimOf(ctx, name, idempotencyKey, input);
    const earlier = claim && prepare ? await findOutcome(ctx.db, claim) : undefined;
    if (earlier) return repeated(definition, ctx, earlier);
    const prepared = (await definition.prepare?.(ctx, input)) as Prepared; // undefined only where Prepared is
    if (ctx.inTransaction) return definition.run(ctx, input, prepared);

    const target = versioned && String(input[versioned as keyof typeof input]);
    const done = await transact(ctx, { id: target, versions: expectedVersions }, async (inside) => {
      if (takesLong) await allowLongStatements(inside.db, LONG_STATEMENT_MS);
      const outcome = claim && (await takeKey(inside.db, claim));
      if (outcome) return outcome;
      const output = await definition.run(inside, input, prepared);
      rejectOtherVersion(inside);
      if (claim) await recordOutcome(inside.db, claim, keep(output, shownOnce));
      return { output };
    });
    return 'output' in done ? done.output : repeated(definition, ctx, done);
  };
  return operation('command', definition, async (ctx, input, terms) => {
    const turn = ctx.inTransaction ? undefined : await definition.turn?.(ctx, input);
    const whole = () => inScope(ctx, (scoped) => act(scoped, input, terms));
    return turn === undefined ? whole() : withMutex(turn, whole);
  });
}

/** Reads through a context of its own: this one may remember how things were before they were done. */
function repeated<Output>(
  { readAgain }: { readAgain?(ctx: Context, kept: Kept<Output>): Promise<Output> },
  ctx: Context,
  { kept }: Outcome,
): Promise<Output> {
  // What was kept is of the shape that the same command put there.
  return readAgain ? readAgain({ ...ctx }, kept as Kept<Output>) : (readAnew({ ...ctx }, kept) as Promise<Output>);
}

/** An operation that reads. Its statements are not one snapshot. */
export function query<Input extends z.ZodObject, Output>(
  definition: Definition<Input, Output>,
): Operation<Input, Output> {
  return operation('query', definition, (ctx, input) => definition.run(ctx, input, undefined));
}

/**
 * An id of one kind: the same string in the graph, REST and storage. Any string is taken: one that names nothing is
 * answered as what is absent, by the rule that looks it up.
 */
export const idOf = (prefix: IdPrefix) =>
  z
    .string()
    .max(200)
    .meta({ prefix, description: `Which \`${PREFIXES[prefix]}\`, by its id (\`${prefix}_…\`).` });

function operation<Input extends z.ZodObject, Output>(
  kind: Operation['kind'],
  definition: Common<Input>,
  act: (ctx: Context, input: z.output<Input>, terms: CheckedTerms) => Promise<Output>,
): Operation<Input, Output> {
  const run = async (ctx: Context, raw: z.input<Input>, terms: Terms = {}) => {
    rejectAnonymous(ctx, definition);
    try {
      const checked = await parseAfterAccess(ctx, definition, raw, terms);
      return await act(ctx, checked.input, checked.terms);
    } catch (error) {
      throw apiErrorOfConstraint(error) ?? error;
    }
  };
  const { name, description, input, versioned, openToAnonymous = false } = definition;
  const authorize = async (ctx: Context, raw: unknown) => {
    rejectAnonymous(ctx, definition);
    await definition.authorize?.(ctx, idsOf(input, raw), membersOf(raw));
  };
  return Object.assign(run, { operationName: name, kind, description, input, openToAnonymous, versioned, authorize });
}

function rejectAnonymous({ actor }: Context, { openToAnonymous }: { openToAnonymous?: boolean }): void {
  if (actor.kind === 'anonymous' && !openToAnonymous) throw unauthenticated();
}

type Common<Input extends z.ZodObject> = Pick<
  Definition<Input, unknown>,
  'name' | 'description' | 'input' | 'openToAnonymous' | 'authorize'
> & { versioned?: string };

const checkedTerms = z.object({
  idempotencyKey: lineOf(1, 255).nullish(),
  expectedVersions: z.array(z.string()).readonly().optional(),
});

type CheckedTerms = z.output<typeof checkedTerms>;

async function parseAfterAccess<Input extends z.ZodObject>(
  ctx: Context,
  { input, authorize }: Common<Input>,
  raw: unknown,
  terms: Terms,
): Promise<{ input: z.output<Input>; terms: CheckedTerms }> {
  try {
    return { input: parse(input, raw), terms: parse(checkedTerms, terms) };
  } catch (apiError) {
    await authorize?.(ctx, idsOf(input, raw), membersOf(raw));
    throw apiError;
  }
}

/** The members of an input that are ids, as far as they are strings; the others are empty, and so name nothing. */
function idsOf(schema: z.ZodObject, raw: unknown): Record<string, string> {
  const given = membersOf(raw);
  return Object.fromEntries(
    Object.keys(schema.shape).map((name) => {
      const value = given[name];
      return [name, typeof value === 'string' ? value.slice(0, 200) : ''];
    }),
  );
}

const membersOf = (raw: unknown) => (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>; // just checked

const EXPECTED = 'Invalid input: expected ';
const RECEIVED = ', received ';

/** What zod says of a wrong type, as a caller would say it. */
function inPlainWords(message: string): string {
  const at = message.lastIndexOf(RECEIVED);
  if (!message.startsWith(EXPECTED) || at < EXPECTED.length) return message;
  const [wanted, given] = [message.slice(EXPECTED.length, at), message.slice(at + RECEIVED.length)];
  return given === 'undefined' ? `is required: ${wanted}.` : `must be ${wanted}, not ${given}.`;
}

/** Checks an input against its schema; every fault is named with its path. */
export function parse<Input extends z.ZodType>(schema: Input, raw: unknown): z.output<Input> {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const issues: Issue[] = boundIssues(
    result.error.issues.map(({ path, message }) => ({
      path: path.map((part) => (typeof part === 'number' ? part : String(part))),
      message: inPlainWords(message),
    })),
  );
  const [first] = issues;
  const place = first && first.path.length > 0 ? `${first.path.join('.')}: ` : '';
  throw new ApiError('BAD_USER_INPUT', `${place}${first?.message ?? 'The input is not valid.'}`, issues);
}
