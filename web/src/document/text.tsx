import { blocksIn, idOf, phrasingIn, textOf } from './nodes.ts';
import { Anchors, type BlockProps, Blocks, Box, Line } from './render.tsx';

const alignmentOf = (align: unknown) => (align === 'center' || align === 'end' ? `align-${align}` : undefined);

export const Paragraph = ({ block }: BlockProps) => (
  <p dir="auto" className={alignmentOf(block.data.align)}>
    <Line nodes={phrasingIn(block)} />
  </p>
);

/** The title of the page is the heading of the first level. */
const LEVELS: Record<string, 'h2' | 'h3' | 'h4'> = { 'heading-1': 'h2', 'heading-2': 'h3', 'heading-3': 'h4' };

export function Heading({ block }: BlockProps) {
  const Level = LEVELS[block.type] ?? 'h4';
  const id = idOf(block);
  return (
    <Level id={id} dir="auto" className={alignmentOf(block.data.align)}>
      <Line nodes={phrasingIn(block)} />
      {id !== undefined && (
        <a className="heading-link" href={`#${id}`} aria-label={`Link to ${textOf(block).trim()}`}>
          #
        </a>
      )}
    </Level>
  );
}

export const UnorderedList = ({ block }: BlockProps) => (
  <ul className={block.type === 'list-tasks' ? 'tasks' : undefined}>
    <Blocks blocks={blocksIn(block)} />
  </ul>
);

export const OrderedList = ({ block }: BlockProps) => (
  <ol start={block.data.start as number | undefined}>
    <Blocks blocks={blocksIn(block)} />
  </ol>
);

/** A first paragraph is not spaced like one. */
export function ListItem({ block }: BlockProps) {
  const [first, ...others] = blocksIn(block);
  const isLine = first?.type === 'paragraph';
  const { checked } = block.data;
  return (
    <li>
      {typeof checked === 'boolean' && <Box isChecked={checked} />}
      <div dir={isLine ? 'auto' : undefined}>
        {isLine ? (
          <>
            <Anchors block={first} />
            <Line nodes={phrasingIn(first)} />
          </>
        ) : (
          first && <Blocks blocks={[first]} />
        )}
        <Blocks blocks={others} />
      </div>
    </li>
  );
}

export const Divider = () => <hr />;

export const Blockquote = ({ block }: BlockProps) => (
  <blockquote>
    <Blocks blocks={blocksIn(block)} />
  </blockquote>
);

const HINTS: Record<string, { label: string; sign: string }> = {
  info: { label: 'Note', sign: 'i' },
  success: { label: 'Success', sign: '✓' },
  warning: { label: 'Warning', sign: '!' },
  danger: { label: 'Danger', sign: '!' },
};

export function Hint({ block }: BlockProps) {
  const style = String(block.data.style);
  const { label, sign } = HINTS[style] ?? { label: 'Note', sign: 'i' };
  return (
    <div className={`hint ${style}`} role="note" aria-label={label}>
      <span className="hint-sign" aria-hidden="true">
        {sign}
      </span>
      <div>
        <Blocks blocks={blocksIn(block)} />
      </div>
    </div>
  );
}
