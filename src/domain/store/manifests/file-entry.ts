/** What bytes are, whatever file they stand in. */
export interface BlobFacts {
  contentType: string;
  /** In bytes. */
  size: number;
  /** In pixels, as an image is shown; on images only. */
  width?: number | null;
  height?: number | null;
  /** SHA-256 in hex. */
  blob: string;
}

/** A file as the manifest of a revision has it. The id stays through revisions, names and bytes. */
export interface FileEntry extends BlobFacts {
  id: string;
  name: string;
}
