import { type ComponentType, Fragment, type ReactNode, useId } from 'react';
import { emojiOf } from '../app/format.ts';
import { Blocks } from './blocks.tsx';
import { Formula } from './math.tsx';
import { Picture } from './media.tsx';
import type { Block, Inline, Leaf, Mark, Phrasing, Ref } from './nodes.ts';
import { ReferenceLink } from './reference-link.tsx';
import { useTarget } from './references.tsx';

/** The content of a line: text with its marks, and inlines. */
export function Line({ nodes }: { nodes: readonly Phrasing[] }) {
  return nodes.map((node, index) => {
    const key = node.key ?? index;
    if (node.object === 'text') return <Fragment key={key}>{node.leaves.map(leafOf)}</Fragment>;
    const Component = INLINES[node.type];
    return Component ? <Component key={key} inline={node} /> : null;
  });
}

const leafOf = ({ text, marks }: Leaf, index: number): ReactNode => {
  const lines = text.split('\n').flatMap((line, at) => (at === 0 ? [line] : [<br key={`${index}-${at}`} />, line]));
  return (
    // biome-ignore lint/suspicious/noArrayIndexKey: leaves have no other identity
    <Fragment key={index}>{marks.reduce<ReactNode>((content, mark) => marked(content, mark), lines)}</Fragment>
  );
};

function marked(content: ReactNode, { type, data }: Mark): ReactNode {
  switch (type) {
    case 'bold':
      return <strong>{content}</strong>;
    case 'italic':
      return <em>{content}</em>;
    case 'code':
      return <code>{content}</code>;
    case 'keyboard':
      return <kbd>{content}</kbd>;
    case 'strikethrough':
      return <s>{content}</s>;
    case 'superscript':
      return <sup>{content}</sup>;
    case 'subscript':
      return <sub>{content}</sub>;
    case 'color':
      return <span className={`text-${colorOf(data?.text)} back-${colorOf(data?.background)}`}>{content}</span>;
    default:
      return content;
  }
}

/** The name of a color as a part of a class name. */
export const colorOf = (name: string | undefined): string => (name ?? 'default').replace(/[^a-z]/g, '');

interface InlineProps {
  inline: Inline;
}

function LinkInline({ inline }: InlineProps) {
  const target = useTarget()(inline.data.ref as Ref);
  return (
    <ReferenceLink target={target}>
      <Line nodes={inline.nodes ?? []} />
    </ReferenceLink>
  );
}

const EmojiInline = ({ inline }: InlineProps) => emojiOf(inline.data.code as string);

const ExpressionInline = ({ inline }: InlineProps) => <code>{`{{ ${inline.data.expression} }}`}</code>;

const MathInline = ({ inline }: InlineProps) => <Formula formula={String(inline.data.formula)} />;

function ImageInline({ inline }: InlineProps) {
  const { ref, refDark, alt, caption, size } = inline.data as {
    ref: Ref;
    refDark?: Ref;
    alt?: string;
    caption?: string;
    size?: string;
  };
  return (
    <span className={size === 'line' ? 'inline-image in-line' : 'inline-image'}>
      <Picture image={refDark ? { ref, refDark } : { ref }} alt={alt ?? caption ?? ''} />
    </span>
  );
}

/** A note that opens at its text. */
function AnnotationInline({ inline }: InlineProps) {
  const id = useId();
  const note = (inline.fragments ?? []).flatMap(({ nodes }) => nodes);
  return (
    <>
      <button type="button" className="note" popoverTarget={id}>
        <Line nodes={inline.nodes ?? []} />
      </button>
      <span id={id} popover="auto" className="note-text">
        {note.map((block: Block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a note do not move
          <Fragment key={index}>
            {block.type === 'paragraph' ? (
              <Line nodes={(block.nodes ?? []) as Phrasing[]} />
            ) : (
              <Blocks blocks={[block]} />
            )}
          </Fragment>
        ))}
      </span>
    </>
  );
}

function MentionInline({ inline }: InlineProps) {
  const ref = inline.data.ref as Ref;
  const target = useTarget()(ref);
  if (ref.kind === 'user') return <span className="mention">@{target?.label || 'user'}</span>;
  return <ReferenceLink target={target}>{target?.label || ref.kind}</ReferenceLink>;
}

function ButtonInline({ inline }: InlineProps) {
  const { label, kind, ref } = inline.data as { label: string; kind: string; ref?: Ref };
  const target = useTarget()(ref);
  return (
    <ReferenceLink target={target} className={kind === 'primary' ? 'button primary' : 'button'}>
      {label}
    </ReferenceLink>
  );
}

const IconInline = () => null;

const INLINES: Readonly<Record<string, ComponentType<InlineProps>>> = {
  link: LinkInline,
  emoji: EmojiInline,
  icon: IconInline,
  expression: ExpressionInline,
  'inline-math': MathInline,
  'inline-image': ImageInline,
  annotation: AnnotationInline,
  mention: MentionInline,
  button: ButtonInline,
};
