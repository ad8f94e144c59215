import type { Ref } from './nodes.ts';
import { ReferenceLink } from './reference-link.tsx';
import { useTarget } from './references.tsx';
import type { BlockProps } from './render.tsx';
import { Scrollable } from './scrollable.tsx';

export function ContentRef({ block }: BlockProps) {
  const target = useTarget()(block.data.ref as Ref);
  return (
    <p className="card">
      <ReferenceLink target={target} />
    </p>
  );
}

/** Nothing is loaded from other hosts: an embed is a link. */
export function Embed({ block }: BlockProps) {
  const url = String(block.data.url ?? '');
  const target = useTarget()({ kind: 'url', url });
  return (
    <p className="card">
      <ReferenceLink target={target}>{url.replace(/^https?:\/\//, '')}</ReferenceLink>
    </p>
  );
}

export function Integration({ block }: BlockProps) {
  if (typeof block.data.url === 'string') return <Embed block={block} />;
  return (
    <p className="card muted">
      {String(block.data.integration)}: {String(block.data.block)}
    </p>
  );
}

/** A reference that could not be replaced by its content. */
export const ReusableContent = () => <p className="card muted">Reusable content that is not available</p>;

/** An operation whose specification is not available. */
export function Operation({ block }: BlockProps) {
  const { method, path, name, ref } = block.data as { method: string; path?: string; name?: string; ref: Ref };
  const target = useTarget()(ref);
  return (
    <p className="card">
      <strong className="method">{method.toUpperCase()}</strong> <code>{path ?? name}</code>{' '}
      {target?.label && <ReferenceLink target={target} className="muted" />}
    </p>
  );
}

export const OperationSchemas = ({ block }: BlockProps) => (
  <p className="card">
    <code>{(block.data.schemas as string[]).join(', ')}</code>
  </p>
);

/** The source of a block that this version does not know. */
export const Unknown = ({ block }: BlockProps) => (
  <Scrollable label="Source">
    <pre>
      <code>{String(block.data.source ?? block.type)}</code>
    </pre>
  </Scrollable>
);
