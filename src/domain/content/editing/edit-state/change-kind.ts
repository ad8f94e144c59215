import type { z } from 'zod';
import type { AppliedChange } from './applied-change.ts';
import type { ChangePath } from './change-path.ts';
import type { ContentEdit } from './content-edit.ts';
import type { Preparation } from './preparation.ts';

/** A kind of change. Both transports accept the kinds that are listed in `change-kinds.ts`. */
export interface ChangeKind<Input extends z.ZodObject, Ready = undefined> {
  input: Input;
  /** Declares the objects that the change creates, before any change is prepared: bodies can refer to later changes. */
  declare?(preparation: Preparation, change: z.output<Input>, path: ChangePath): void;
  /**
   * Does slow work (parsing, downloading, hashing) before the transaction. Can write to storage but not to the
   * database.
   */
  prepare?(preparation: Preparation, change: z.output<Input>, path: ChangePath): Promise<Ready>;
  /** Edits in memory, without storing anything: it is repeated if the base changed meanwhile. */
  apply(edit: ContentEdit, change: z.output<Input>, ready: Ready, path: ChangePath): Promise<AppliedChange[]>;
}

/** Declares a kind of change, with types inferred. */
export const changeKind = <Input extends z.ZodObject, Ready = undefined>(
  kind: ChangeKind<Input, Ready>,
): ChangeKind<Input, Ready> => kind;
