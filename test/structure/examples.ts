import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PREFIXES } from '../../src/platform/ids/ids.ts';

export type Examples = {
  operations: Record<string, { request?: unknown; response?: unknown }>;
  apiErrors: Record<string, unknown>;
};

const FILE = join(import.meta.dirname, '..', '..', 'src', 'openapi-examples.json');

export const readExamples = (): Examples => JSON.parse(readFileSync(FILE, 'utf8'));

/**
 * Writes what was sent and answered, with everything that differs from run to run replaced: ids by others of the same
 * kind, one for each, times by the hour, addresses of this machine, and secrets.
 */
export function writeExamples(recorded: Examples, addresses: Record<string, string>): void {
  let text = JSON.stringify(recorded, null, 2);
  for (const [from, to] of Object.entries(addresses)) text = text.replaceAll(from, to);
  const ids = new Map<string, string>();
  const ofKinds = new RegExp(`\\b(${Object.keys(PREFIXES).join('|')})_[0-9a-hjkmnp-tv-z]{26}`, 'g');
  text = text
    .replace(ofKinds, (id, prefix) => {
      const known = ids.get(id) ?? `${prefix}_01jd${String(ids.size + 1).padStart(22, '0')}`;
      ids.set(id, known);
      return known;
    })
    .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, '2026-11-20T09:00:00.000Z')
    .replace(/req-[0-9a-f-]{36}/g, 'req-00000000-0000-4000-8000-000000000000')
    .replace(/"(stemma|whsec|githook)_[\w-]{20,}"/g, '"$1_…"')
    .replace(/\/files\/(org_\w+)\/[^"]+\/([^"/]+)"/g, '/files/$1/<hash>/<signature>/$2"'.replaceAll(/<(\w+)>/g, '$1'))
    .replace(/\/invite#(emailinvite_\w+)\.[\w-]+/g, '/invite#$1.secret')
    .replace(/sign-in-link\?secret=[\w-]{43}/g, 'sign-in-link?secret=secret')
    .replace(/"(kid|x|y)": "[\w-]{43}"/g, '"$1": "…"')
    .replace(/"(\w+VisitorClaims)": "[\w.-]+"/g, '"$1": "eyJhbGciOi…"')
    .replace(/jwt_token=[\w.-]+/g, 'jwt_token=eyJhbGciOi…')
    .replace(/"(totalDuration|latestRunDuration)": \d+/g, '"$1": 1200')
    .replace(/"month": "[\d-]+"/g, '"month": "2026-11"')
    .replace(/"milliseconds": \d+/g, '"milliseconds": 12')
    .replace(/"(page|after)": "(?=[\w-]{40})[\w.-]+"/g, '"$1": "eyJrIjoi…"');
  writeFileSync(FILE, `${text}\n`);
}

/** An id in the name of a member, such as a source of conversations. */
const ID = /_[0-9a-hjkmnp-tv-z]{26}$/;

/** Which members a value has, however deep: `items[].urls.location`. Items of one list count as one. */
export function membersOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return unique(value.flatMap((item) => membersOf(item, `${path}[]`)));
  if (typeof value !== 'object' || value === null) return [path];
  return unique(
    Object.entries(value).flatMap(([name, member]) => {
      const below = `${path}.${name.replace(ID, '')}`;
      return [below, ...membersOf(member, below)];
    }),
  );
}

const unique = (paths: string[]) => [...new Set(paths)].toSorted();
