/** Properties of stored bytes, independent of the files that use them. */
export interface BlobFacts {
  contentType: string;
  /** In bytes. */
  size: number;
  /** Displayed size in pixels; only for images. */
  width?: number | null;
  height?: number | null;
  /** SHA-256 in hexadecimal. */
  blob: string;
}

/** A file in the manifest of a revision. Its id stays the same when its name or content changes. */
export interface FileEntry extends BlobFacts {
  id: string;
  name: string;
}
