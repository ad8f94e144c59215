import SCIMMY from 'scimmy';
import { isRecord } from '../../../lib/is-record.ts';
import { ScimError, type ScimType, tooLarge } from '../../../platform/errors/scim-error.ts';

/** An operation of a PATCH request (RFC 7644, 3.5.2). */
export interface PatchOperation {
  op: 'add' | 'remove' | 'replace';
  path: string | undefined;
  value: unknown;
}

/**
 * Maximum number of operations of one request, and of names in values without a path. Each of these names is a path.
 */
const MAX_OPERATIONS = 1_000;

/** The operations in the body of a request. Names of operations can have any case, as Entra sends them. */
export function patchOperations(body: unknown): PatchOperation[] {
  const items = isRecord(body) ? body.Operations : undefined;
  if (!isRecord(body) || !Array.isArray(items))
    throw new ScimError('invalidSyntax', 'The body must be a PatchOp with a list of "Operations".');
  if (items.length > MAX_OPERATIONS) throw tooMany();
  try {
    const { Operations } = new SCIMMY.Messages.PatchOp(body as never); // the library checks what it gets
    const operations = Operations.map(({ op, path, value }) => ({
      op: op.toLowerCase() as PatchOperation['op'],
      path: path === undefined || path === '' ? undefined : path,
      value,
    }));
    rejectTooManyPaths(operations);
    return operations;
  } catch (error) {
    if (error instanceof SCIMMY.Types.Error) throw new ScimError(error.scimType as ScimType, `${error.message}.`); // one of its keywords for 400
    if (error instanceof TypeError) throw new ScimError('invalidSyntax', 'The body is not a valid PatchOp.');
    throw error;
  }
}

function rejectTooManyPaths(operations: readonly PatchOperation[]): void {
  let count = 0;
  for (const { path, value } of operations) {
    count += path === undefined && isRecord(value) ? Object.keys(value).length : 1;
    if (count > MAX_OPERATIONS) throw tooMany();
  }
}

const tooMany = () => tooLarge(`A request can have up to ${MAX_OPERATIONS} operations and names without a path.`);
