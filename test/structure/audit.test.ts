import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditedKinds, UNAUDITED } from '../../src/platform/events/audited.ts';
import { type EventKind, eventKind } from '../../src/platform/events/kinds.ts';
import { findOperations } from './operations.ts';
import { SILENT } from './silent-commands.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = join(ROOT, 'docs', 'audited-commands.md');

const texts = new Map(
  globSync('src/domain/**/*.ts', { cwd: ROOT }).map((file) => [
    file.slice('src/'.length),
    readFileSync(join(ROOT, file), 'utf8'),
  ]),
);

const kinds = new Set<string>(eventKind.options);

/** The kinds that the text of a file names. */
const namedIn = (text: string) =>
  [...text.matchAll(/'([a-z_]+)'/g)].flatMap(([, word = '']) => (kinds.has(word) ? [word as EventKind] : [])); // just checked

/** The files that export functions which take a context, by the name of the function. */
const exportedBy = new Map(
  [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/^export (?:(?:async )?function|const) (\w+)/gm)].map(([, name = '']) => [name, file] as const),
  ),
);

/** The files of the functions that a file calls with a context and has imported. */
const calledBy = (text: string): string[] =>
  [...text.matchAll(/\b(\w+)\((?:ctx|inside|asUser\()/g)].flatMap(([, name = '']) => {
    const isImported = new RegExp(`^import \\{[^}]*\\b${name}\\b`, 'm').test(text);
    const file = isImported ? exportedBy.get(name) : undefined;
    return file === undefined ? [] : [file];
  });

/** The kinds that a file records, itself or by the functions of other files that it calls. */
function recordedBy(file: string, seen = new Set<string>()): Set<EventKind> {
  if (seen.has(file)) return new Set();
  seen.add(file);
  const text = texts.get(file) ?? '';
  return new Set([...namedIn(text), ...calledBy(text).flatMap((called) => [...recordedBy(called, seen)])]);
}

const commands = (await findOperations()).filter(({ operation }) => operation.kind === 'command');

/** A command with its audited events or, without one, the reason. */
const rows = commands
  .map(({ file, exportedAs }) => {
    const recorded = [...recordedBy(file)].sort();
    const audited = recorded.filter((kind) => auditedKinds.includes(kind));
    const reason = SILENT[exportedAs] ?? recorded.map((kind) => UNAUDITED[kind]).find((found) => found !== undefined);
    return { command: exportedAs, audited, reason };
  })
  .sort((one, other) => one.command.localeCompare(other.command, 'en'));

const tableOf = () =>
  [
    '| Command | Audited events, or why there is none |',
    '|---|---|',
    ...rows.map(({ command, audited, reason }) => {
      const events = audited.map((kind) => `\`${kind}\``).join(', ');
      return `| \`${command}\` | ${events || `none: ${reason}`} |`;
    }),
  ].join('\n');

test('every command has an audited event, or a reason why it has none', () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ audited, reason }) => audited.length === 0 && reason === undefined)).toEqual([]);
});

test.each([
  ...(['createApiToken', 'revokeApiToken', 'rotateOrganizationKeys', 'regenerateSitePublishingKey'] as const),
  ...(['createSamlProvider', 'updateSamlProvider', 'deleteSamlProvider', 'setBreakGlass', 'addSsoMember'] as const),
  ...(['createOidcProvider', 'updateOidcProvider', 'deleteOidcProvider'] as const),
  ...(['grantPermission', 'updatePermission', 'revokePermission', 'updateMember', 'removeMember'] as const),
  ...(['inviteMembers', 'acceptInvite', 'createLinkInvite', 'joinWithLinkInvite', 'setTeamMembers'] as const),
  ...(['exportAuditEvents', 'exportSpaceToGit', 'rotateGitHookSecret', 'rotateGitSshKey'] as const),
  ...(['deleteSpace', 'deleteCollection', 'deleteSite', 'deleteComment', 'deleteConversation'] as const),
  ...(['purgeConversations', 'deleteWebhook', 'deleteTeam', 'revokeShareLink', 'setTranslationProvider'] as const),
])('%s is audited', (command) => {
  expect(rows.find((row) => row.command === command)?.audited).not.toEqual([]);
});

test('no kind that deletes, or concerns access, tokens, sign-ins or keys, is left out of the audit', () => {
  const left = Object.keys(UNAUDITED);
  expect(
    left.filter((kind) =>
      /delet|purged|removed$|token|session|sso|saml|oidc|permission|member|invite|key|user|exported/.test(kind),
    ),
  ).toEqual(['change_request_review_request_removed']);
  expect(Object.values(UNAUDITED).filter((reason) => reason.split(' ').length < 4)).toEqual([]);
});

test('the documentation has the table of commands (else: AUDIT=write npx vitest run test/structure/audit.test.ts)', () => {
  const page = readFileSync(PAGE, 'utf8');
  const start = page.indexOf('| Command |');
  if (process.env.AUDIT === 'write') writeFileSync(PAGE, `${page.slice(0, start)}${tableOf()}\n`);
  expect(readFileSync(PAGE, 'utf8').slice(start).trimEnd()).toBe(tableOf());
});

test('events of an account are events of its organizations too, except that it was created', () => {
  const alone = [...texts.values()].flatMap((text) =>
    [...text.matchAll(/recordEvent\(\w+, \{ kind: '(\w+)', organizationId: null/g)].map(([, kind = '']) => kind),
  );
  expect([...new Set(alone)]).toEqual(['user_created']);
});
