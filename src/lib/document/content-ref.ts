/** A content reference: the target of a link, an image or a block. */
export type ContentRef =
  | { kind: 'file'; file: string; space?: string }
  | { kind: 'url'; url: string }
  | { kind: 'page'; page: string; space?: string }
  | { kind: 'anchor'; anchor: string; page?: string; space?: string }
  | { kind: 'user'; user: string }
  | { kind: 'collection'; collection: string }
  | { kind: 'space'; space: string }
  | { kind: 'reusable-content'; reusableContent: string; space?: string }
  | { kind: 'openapi'; spec: string }
  | { kind: 'tag'; tag: string; space?: string };

export type ContentRefKind = ContentRef['kind'];
export type RefOf<K extends ContentRefKind> = Extract<ContentRef, { kind: K }>;

/** References that images and files may have. */
export type MediaRef = RefOf<'file' | 'url'>;

export function isMediaRef(ref: ContentRef): ref is MediaRef {
  return ref.kind === 'file' || ref.kind === 'url';
}
