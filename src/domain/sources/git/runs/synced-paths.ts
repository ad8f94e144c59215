import { similarity } from '../../../../lib/repository/line-sketch.ts';
import type { Context } from '../../../../platform/context/context.ts';
import type { KnownIds } from '../../../content/import-engine/index.ts';
import type { GitFileRow } from '../../../store/git-sync/index.ts';
import type { RemoteFile } from '../transport/remote.ts';

/** Known paths of the branch at the last synchronization. */
export interface SyncedPaths {
  ids: KnownIds;
  /** Object IDs by path. */
  oids: ReadonlyMap<string, string>;
}

/** The paths of a space's branch, with renamed files at their new paths. */
export async function syncedPaths(
  { db }: Context,
  spaceId: string,
  files: readonly RemoteFile[],
): Promise<SyncedPaths> {
  const rows = await db.selectFrom('git_file').where('spaceId', '=', spaceId).selectAll().execute();
  const present = new Map(files.map(({ path, oid }) => [path, oid]));
  const [pages, used, contents] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  const of = { page: pages, file: used, content: contents };
  const knownPaths = new Set(rows.map(({ path }) => path));
  const fresh = files.filter(({ path }) => !knownPaths.has(path));
  const renamed = new Renames(fresh);
  const missing = rows.filter(({ path, oid }) => oid !== null && !present.has(path));
  renamed.findAll(missing);
  for (const { path, kind, targetId, oid } of rows) {
    const isGone = oid !== null && !present.has(path);
    const place = isGone ? renamed.paths.get(path) : path;
    if (place !== undefined) of[kind].set(place, targetId);
  }
  return {
    ids: { pages, files: used, contents },
    oids: new Map(rows.flatMap(({ path, oid }) => (oid === null ? [] : [[path, oid] as const]))),
  };
}

type MissingFile = Pick<GitFileRow, 'path' | 'oid' | 'sketch'>;

/** Texts that share at least this part of their lines are versions of one file. */
const MIN_LINE_SHARE = 0.5;

/** Comparisons of texts or paths, which take about a microsecond each. */
const MAX_COMPARED = 200_000;

/** New files, which can be the renamed files of others. */
class Renames {
  /** New paths by former path. */
  readonly paths = new Map<string, string>();
  readonly #fresh: Set<RemoteFile>;

  constructor(fresh: readonly RemoteFile[]) {
    this.#fresh = new Set(fresh);
  }

  /** Files with the same bytes come first, then those with similar lines. */
  findAll(missing: readonly MissingFile[]): void {
    this.#findSame(missing);
    let compared = 0;
    for (const { path, sketch } of missing) {
      if (this.paths.has(path) || sketch === null || compared > MAX_COMPARED) continue;
      const lines = sketchIn(sketch);
      compared += this.#fresh.size;
      const alike = [...this.#fresh].map((file) => ({ file, score: file.sketch ? similarity(lines, file.sketch) : 0 }));
      this.#take(
        path,
        alike.filter(({ score }) => score >= MIN_LINE_SHARE).toSorted((a, b) => b.score - a.score)[0]?.file,
      );
    }
  }

  /**
   * Of several files with the same bytes, the one whose path ends most alike, as long as comparing them all takes
   * little time.
   */
  #findSame(missing: readonly MissingFile[]): void {
    const byOid = new Map<string, Set<RemoteFile>>();
    for (const file of this.#fresh) {
      const same = byOid.get(file.oid);
      if (same) same.add(file);
      else byOid.set(file.oid, new Set([file]));
    }
    let compared = 0;
    for (const { path, oid } of missing) {
      const same = oid === null ? undefined : byOid.get(oid);
      if (!same) continue;
      compared += same.size;
      const [first] = same;
      const file = compared > MAX_COMPARED ? first : closestTo(path, same);
      this.#take(path, file);
      if (file) same.delete(file);
    }
  }

  #take(path: string, file: RemoteFile | undefined): void {
    if (!file) return;
    this.paths.set(path, file.path);
    this.#fresh.delete(file);
  }
}

/** The file whose path ends most alike. */
function closestTo(path: string, files: Iterable<RemoteFile>): RemoteFile | undefined {
  let closest: { file: RemoteFile; parts: number } | undefined;
  for (const file of files) {
    const parts = commonParts(file.path, path);
    if (closest === undefined || parts > closest.parts) closest = { file, parts };
  }
  return closest?.file;
}

const sketchIn = (bytes: Uint8Array) => new Uint32Array(Uint8Array.from(bytes).buffer);

/** The bytes of a sketch, as they are stored. */
export const sketchBytes = (sketch: Uint32Array | undefined): Buffer | null =>
  sketch ? Buffer.from(sketch.buffer, sketch.byteOffset, sketch.byteLength) : null;

/** Number of equal names, counted from the end of the paths. */
function commonParts(a: string, b: string): number {
  const [left, right] = [a.split('/').toReversed(), b.split('/').toReversed()];
  const end = left.findIndex((part, index) => part !== right[index]);
  return end < 0 ? left.length : end;
}
