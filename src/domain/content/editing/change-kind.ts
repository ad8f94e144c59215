import type { z } from 'zod';
import type { AppliedChange } from './applied-change.ts';
import type { ChangePath } from './change-path.ts';
import type { ContentEdit } from './content-edit.ts';
import type { Preparation } from './preparation.ts';

/**
 * One kind of change: what it takes, what it does before the transaction, and how it edits. One that is listed in
 * `change-kinds.ts` can be sent by both transports.
 */
export interface ChangeKind<Input extends z.ZodObject, Ready = undefined> {
  input: Input;
  /** Names what the change creates, before any change of the call is prepared: bodies may refer to what comes later. */
  declare?(preparation: Preparation, change: z.output<Input>, path: ChangePath): void;
  /** Slow work: parsing, fetching, hashing. May put bytes into storage, and writes no row. */
  prepare?(preparation: Preparation, change: z.output<Input>, path: ChangePath): Promise<Ready>;
  /** Edits in memory and stores nothing: it runs again from the start where the first run stood on what has changed. */
  apply(edit: ContentEdit, change: z.output<Input>, ready: Ready, path: ChangePath): Promise<AppliedChange[]>;
}

/** Ties what a kind of change prepares to what it applies. */
export const changeKind = <Input extends z.ZodObject, Ready = undefined>(
  kind: ChangeKind<Input, Ready>,
): ChangeKind<Input, Ready> => kind;
