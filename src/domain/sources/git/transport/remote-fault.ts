import type { Errors } from 'isomorphic-git';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import { ObjectTooLarge, PackTooLarge } from './bounded-objects.ts';
import { MalformedObject } from './git-objects.ts';
import { OutputTooLarge } from './git-program.ts';
import { MAX_PACK_BYTES } from './http-client.ts';
import { UnreadableObject } from './object-batch.ts';
import { MalformedLines } from './pkt-line.ts';
import type { RemoteFault } from './remote.ts';

/** Thrown where a repository is read, with the fault to report. */
export class RemoteError extends Error {
  override name = 'RemoteError';
  readonly fault: RemoteFault;

  constructor(code: RemoteFault['code'], message: string) {
    super(message);
    this.fault = { code, message };
  }
}

export const errorOf = ({ code, message }: RemoteFault) => new RemoteError(code, message);

export const noBranch = (ref: string) => new RemoteError('NO_BRANCH', `The repository has no branch "${ref}".`);

/** Returns the result of work on a repository, or the fault of the repository that prevented it. */
export async function outcomeOf<Result>(act: () => Promise<Result>): Promise<Result | { fault: RemoteFault }> {
  try {
    return await act();
  } catch (error) {
    const fault = remoteFaultOf(error);
    if (fault) return { fault };
    throw error;
  }
}

/** The fault for an error of the transport. Undefined for errors of this service. */
function remoteFaultOf(error: unknown): RemoteFault | undefined {
  if (error instanceof RemoteError) return error.fault;
  if (error instanceof ObjectTooLarge)
    return fault('TOO_LARGE', 'The repository contains an object of more than 32 MB.');
  if (error instanceof PackTooLarge) return fault('TOO_LARGE', `The repository is too large. ${error.message}`);
  if (error instanceof OutputTooLarge) return fault('TOO_LARGE', 'The repository has too many branches and tags.');
  if (error instanceof OutboundError) return ofRequest(error);
  if (error instanceof MalformedLines) return NO_REPOSITORY;
  if (error instanceof MalformedObject || error instanceof UnreadableObject)
    return fault('UNREADABLE', `The repository is damaged. ${error.message}`);
  return ofLibrary(error);
}

/** Errors of isomorphic-git have a code, so that this module does not load the library, which only workers need. */
function ofLibrary(error: unknown): RemoteFault | undefined {
  switch (error instanceof Error && 'code' in error && error.code) {
    case 'HttpError':
      return ofStatus((error as InstanceType<typeof Errors.HttpError>).data.statusCode); // what has this code
    case 'InternalError':
    case 'ObjectTypeError':
      return fault('UNREADABLE', 'The repository is damaged, or the server sent only a part of it.');
    case 'NotFoundError':
      return fault('UNREADABLE', 'The repository is incomplete on the server.');
    case 'SmartHttpError':
    case 'ParseError':
    case 'RemoteCapabilityError':
      return NO_REPOSITORY;
    default:
      return undefined;
  }
}

const fault = (code: RemoteFault['code'], message: string): RemoteFault => ({ code, message });

const NO_REPOSITORY = fault(
  'UNREADABLE',
  'The URL does not belong to a Git repository that is served over smart HTTP. Check the URL.',
);

/** The branch is not where it was when it was fetched. */
export const MOVED: RemoteFault = fault('MOVED', 'The branch was changed at the same time.');

const ofRequest = ({ code, message }: OutboundError): RemoteFault =>
  code === 'TOO_LARGE'
    ? fault('TOO_LARGE', `The repository is larger than the allowed ${MAX_PACK_BYTES} bytes.`)
    : fault('UNREACHABLE', message);

function ofStatus(status: number): RemoteFault {
  if (status === 401 || status === 403) {
    return fault(
      'UNAUTHORIZED',
      `The server responded with status ${status}. Check the user name and token in the URL.`,
    );
  }
  if (status === 404) return fault('NOT_FOUND', 'The server has no such repository, or requires other credentials.');
  return fault('UNREACHABLE', `The server responded with status ${status}.`);
}

/** The fault of a push that a server rejected, such as with "pre-receive hook declined" or "fetch first". */
export function faultOfPush(text: string): RemoteFault {
  const reason = text.trim().slice(0, 200);
  if (/fetch first|non-fast-forward|failed to (?:update|lock)|stale|cannot lock/i.test(reason)) return MOVED;
  return fault('REJECTED', `The server rejected the push: ${reason}. Check whether the branch is protected.`);
}
