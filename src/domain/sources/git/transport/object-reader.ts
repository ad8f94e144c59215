/** An object without its header. */
export interface GitObject {
  type: string;
  bytes: Buffer;
}

/** The objects of a repository on this machine. */
export interface GitObjects {
  /** Throws if the object is missing, damaged or too large. */
  read(oid: string): Promise<GitObject>;
  close(): void;
}
