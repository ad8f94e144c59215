import { sizeOf } from '../app/format.ts';
import { blocksIn, fragmentNamed, type Ref } from './nodes.ts';
import { ReferenceLink } from './reference-link.tsx';
import { useTarget } from './references.tsx';
import { type BlockProps, Blocks } from './render.tsx';

interface ImageData {
  ref: Ref;
  refDark?: Ref;
  alt?: string;
  width?: number | { value: number; unit: string };
}

/**
 * An image of this service, with its dark version. One of another host is a link: loading it would tell that host who
 * reads the page.
 */
export function Picture({
  image,
  alt,
  width,
}: {
  image: Pick<ImageData, 'ref' | 'refDark'>;
  alt: string;
  width?: string;
}) {
  const target = useTarget();
  const light = target(image.ref);
  const dark = target(image.refDark)?.image;
  if (!light?.image) return <ReferenceLink target={light}>{alt || light?.label || 'Image'}</ReferenceLink>;
  const { url, width: naturalWidth, height } = light.image;
  const size = width === undefined ? { width: naturalWidth, height } : { width };
  return (
    <picture>
      {dark && <source srcSet={dark.url} media="(prefers-color-scheme: dark)" />}
      <img src={url} alt={alt} {...size} loading="lazy" decoding="async" />
    </picture>
  );
}

export function ImageBlock({ block }: BlockProps) {
  const { width, alt, ...image } = block.data as unknown as ImageData;
  const caption = fragmentNamed(block, 'caption');
  return (
    <figure>
      <Picture image={image} alt={alt ?? ''} {...widthOf(width)} />
      {caption.length > 0 && (
        <figcaption>
          <Blocks blocks={caption} />
        </figcaption>
      )}
    </figure>
  );
}

/** Pixels or percents, as the attribute has them. */
function widthOf(width: ImageData['width']): { width?: string } {
  if (width === undefined) return {};
  const { value, unit } = typeof width === 'number' ? { value: width, unit: 'px' } : width;
  if (!(value > 0)) return {};
  return { width: unit === '%' ? `${Math.min(100, value)}%` : String(Math.round(value)) };
}

export function Images({ block }: BlockProps) {
  const { align = 'center', withFrame } = block.data as { align?: string; withFrame?: boolean };
  return (
    <div className={`images align-${align}${withFrame ? ' framed' : ''}`}>
      <Blocks blocks={blocksIn(block)} />
    </div>
  );
}

export function Drawing({ block }: BlockProps) {
  const ref = block.data.ref as Ref | undefined;
  if (!ref) return null;
  return (
    <figure>
      <Picture image={{ ref }} alt="Drawing" />
    </figure>
  );
}

export function FileBlock({ block }: BlockProps) {
  const target = useTarget()(block.data.ref as Ref);
  return (
    <p className="card">
      <ReferenceLink target={target}>{target?.label || 'File'}</ReferenceLink>
      {target?.size !== undefined && <span className="muted"> {sizeOf(target.size)}</span>}
    </p>
  );
}
