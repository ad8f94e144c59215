import { Fragment, useId } from 'react';
import { emojiOf } from '../app/format.ts';
import { Formula } from './math.tsx';
import { Picture } from './media.tsx';
import { type Block, phrasingIn, type Ref } from './nodes.ts';
import { ReferenceLink } from './reference-link.tsx';
import { useTarget } from './references.tsx';
import { Blocks, type InlineProps, Line, type NodeComponents } from './render.tsx';

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
          <Fragment key={index}>
            {block.type === 'paragraph' ? <Line nodes={phrasingIn(block)} /> : <Blocks blocks={[block]} />}
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

/** One component for each kind of inline. */
export const INLINES: NodeComponents['inlines'] = {
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
