import { parseArgs } from 'node:util';
import { databaseBeside, requireOwnVersion } from '../beside-service.ts';
import { type Config, ConfigError } from '../config.ts';
import { connect } from '../database.ts';
import { type RestoreAccess, restoreAccess } from '../domain/people/sessions/index.ts';
import { tableNames } from '../entities.ts';
import { dayOrTime } from '../lib/validation/time.ts';
import { explainingFaults } from '../platform/database/database-faults.ts';
import { nameText } from '../platform/shapes/text.ts';
import { runCommand } from '../run-command.ts';
import type { RegisterClose } from '../run-process.ts';

const USAGE =
  'Usage: npm run token -- (--email ADDRESS | --user ID | --operator) [--operator] [--promote] [--link | [--label TEXT] [--expires TIME]]';

/**
 * `npm run token`: makes an access token of an existing user, for operators who have lost theirs, or a link that signs
 * in once.
 */
async function makeToken(config: Config, opened: RegisterClose): Promise<undefined> {
  const request = wantedAccess(process.argv.slice(2));
  const url = await databaseBeside(config, opened);
  const { secret, user, wasPromoted } = await explainingFaults(url, tableNames, () => restore(url, request));
  const rank = wasPromoted ? ', who is now an operator' : user.isOperator ? ', who is an operator' : '';
  const isLink = request.credential === 'link';
  const what = isLink ? 'Link that signs in once, within a day,' : 'Access token';
  process.stderr.write(`${what} of ${user.displayName} (${user.email}, ${user.id})${rank}. It is shown only once:\n`);
  process.stdout.write(`${isLink ? config.publicUrl : ''}${secret}\n`);
}

async function restore(url: string, request: RestoreAccess) {
  await requireOwnVersion(url);
  const connection = await connect(url, { poolSize: 2 });
  try {
    return await restoreAccess(connection.orm.em, request);
  } finally {
    await connection.close();
  }
}

const options = {
  email: { type: 'string' },
  user: { type: 'string' },
  operator: { type: 'boolean', default: false },
  promote: { type: 'boolean', default: false },
  link: { type: 'boolean', default: false },
  label: { type: 'string' },
  expires: { type: 'string' },
} as const;

const label = nameText(50);

/** The access that the command line asks for. Throws an error with the usage. */
function wantedAccess(words: string[]): RestoreAccess {
  const { email, user: userId, operator, promote, link, label: tokenLabel, expires } = valuesOf(words);
  if (email !== undefined && userId !== undefined)
    throw usage('Name the user with --email or with --user, not with both.');
  if (email === undefined && userId === undefined && !operator) throw usage('Name a user with --email or --user.');
  const now = new Date();
  const who = { email, userId, isOperator: operator, promotes: promote, now: now.toISOString() };
  if (link) {
    if (tokenLabel !== undefined || expires !== undefined)
      throw usage('--link takes neither --label nor --expires: the link is valid for a day.');
    return { ...who, credential: 'link' };
  }
  const read = label.safeParse(tokenLabel ?? 'Command line');
  if (!read.success) throw usage('--label must have 1 to 50 characters.');
  const end = expires === undefined ? undefined : dayOrTime.safeParse(expires);
  if (end && (!end.success || new Date(end.data) <= now)) {
    throw usage('--expires must be a time in the future, such as 2027-01-31 or 2027-01-31T10:00:00Z.');
  }
  return { ...who, credential: { label: read.data, expiresAt: end?.data ?? null } };
}

function valuesOf(words: string[]) {
  try {
    return parseArgs({ args: words, options }).values;
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

const usage = (reason: string) => new ConfigError(`${reason}\n${USAGE}`);

await runCommand(makeToken);
