import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** Values that a file takes from another one, by name. Undefined if it takes all, or names none. */
interface Taken {
  from: string;
  names: readonly string[] | undefined;
}

const FROM = /^(?:import|export) (?!type\b)([^;'"]*?)\s*from '(\.[^']*)'|\bimport\('(\.[^']*)'\)/gm;
const MEMBER = /[{,]\s*(type\s+)?(\w+)/g;

function takenBy(file: string, text: string): Taken[] {
  return [...text.matchAll(FROM)].map(([, what = '', path, lazy]) => {
    const from = relative(SRC, join(SRC, dirname(file), path ?? lazy ?? ''));
    const members = [...what.matchAll(MEMBER)].flatMap(([, isType, name = '']) => (isType ? [] : [name]));
    return { from, names: what.includes('{') ? members : undefined };
  });
}

/**
 * The files inside `src` that match, and those that use their code, directly or by way of others. The `index.ts` of a
 * module stands for the files that have the named values. What a job does counts for those who enqueue it.
 */
export function filesThatReach(pattern: RegExp): Set<string> {
  const files = globSync('**/*.ts', { cwd: SRC });
  const texts = new Map(files.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]));
  const taken = new Map([...texts].map(([file, text]) => [file, takenBy(file, text)]));
  const owners = ({ from, names }: Taken): string[] => {
    if (!names) return [from];
    if (!from.endsWith('/index.ts')) return names.length > 0 ? [from] : [];
    return names.map((name) => taken.get(from)?.find((each) => each.names?.includes(name))?.from ?? from);
  };
  const users = Map.groupBy(
    files.flatMap((user) => (taken.get(user) ?? []).flatMap(owners).map((used) => ({ user, used }))),
    ({ used }) => used,
  );
  const reaching = new Set(files.filter((file) => pattern.test(texts.get(file) ?? '')));
  for (const file of reaching) for (const { user } of users.get(file) ?? []) reaching.add(user);
  return reaching;
}
