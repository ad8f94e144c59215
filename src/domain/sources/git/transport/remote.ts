/** A remote repository, as a message to a worker. */
export interface Remote {
  /** http(s) URL without credentials, or ssh URL. */
  url: string;
  /** Value of the header `Authorization`, if the repository requires one. */
  authorization: string | undefined;
  /** Full name of the branch, such as `refs/heads/main`. */
  ref: string;
  allowPrivateNetwork: boolean;
  /** Time limit of one request in milliseconds. */
  timeoutMs: number;
  /** For ssh URLs: how to connect, or why that is not possible. */
  ssh?: SshAccess | { fault: RemoteFault };
}

/** How a repository is reached over SSH. */
export interface SshAccess {
  /** The program `git`. */
  program: string;
  /** Private key in the format of OpenSSH. */
  privateKey: string;
  /** The keys that the host may have, as type and Base64. Empty before the first contact, which accepts any. */
  hostKeys: readonly string[];
  /** Called with the keys that the host had in the first contact. */
  pin(hostKeys: string[]): Promise<void>;
}

/** The commit at the tip of a branch. */
export interface RemoteCommit {
  oid: string;
  message: string;
  committerEmail: string;
  /** The commits before it that were fetched, latest first. */
  ancestors: string[];
}

/** A file of a commit. Its bytes are in the folder of the fetch, in a file that is named like its object ID. */
export interface RemoteFile {
  /** Path relative to the project directory. */
  path: string;
  oid: string;
  size: number;
  /** Sketch of the lines of a Markdown file. */
  sketch?: Uint32Array;
}

/** An entry of a commit that is not read. */
export interface SkippedEntry {
  path: string;
  kind: 'symlink' | 'submodule' | 'unsafe-path' | 'encoding' | 'pointer';
}

/** Why a remote repository could not be used. The message is for the user who set the URL. */
export interface RemoteFault {
  code:
    | 'UNREACHABLE'
    | 'UNAUTHORIZED'
    | 'NOT_FOUND'
    | 'NO_BRANCH'
    | 'NO_DIRECTORY'
    | 'TOO_LARGE'
    | 'REJECTED'
    | 'MOVED'
    | 'UNREADABLE'
    | 'UNRELATED'
    | 'HOST_KEY'
    | 'SECRET_UNREADABLE';
  message: string;
}
