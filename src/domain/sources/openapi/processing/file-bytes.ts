import { sql } from 'kysely';
import type { Context } from '../../../../platform/context/context.ts';

/** A file of a version for a worker. */
export interface FileBytes {
  filename: string;
  isEntrypoint: boolean;
  /** UTF-8 in pieces. Bytes are copied to a worker much faster than text. */
  pieces: Uint8Array[];
}

/** Pieces of one statement, so that the event loop never has all of a large file to decode at once. */
const PIECES_PER_STATEMENT = 8;

interface Piece {
  position: number;
  piece: number;
  filename: string;
  content: string;
}

/** The files of a version for a worker, the entry point first: as they were received, or upgraded as JSON. */
export async function fileBytesOf(
  { db }: Context,
  versionId: string,
  column: 'source' | 'specification',
): Promise<FileBytes[]> {
  const files: FileBytes[] = [];
  let last = { position: -1, piece: 0 };
  for (;;) {
    const { rows } = await sql<Piece>`
      select f.position, f.piece, f.filename, f.${sql.ref(column)} as content from openapi_file f
      where f.version_id = ${versionId} and (f.position, f.piece) > (${last.position}, ${last.piece})
      order by f.position, f.piece limit ${sql.lit(PIECES_PER_STATEMENT)}`.execute(db);
    for (const { position, filename, content } of rows) {
      const file = files[position] ?? { filename, isEntrypoint: position === 0, pieces: [] };
      file.pieces.push(new TextEncoder().encode(content));
      files[position] = file;
    }
    const end = rows.at(-1);
    if (!end || rows.length < PIECES_PER_STATEMENT) return files;
    last = end;
  }
}

/** The text of a file. */
export function textOfPieces(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
}
