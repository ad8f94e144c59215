import { graphql, useFragment } from 'react-relay';
import type {
  blockChanges_change$data,
  blockChanges_change$key,
} from '../../__generated__/blockChanges_change.graphql.ts';
import { wordsOf } from '../../app/format.ts';
import { OnlyFirst } from '../../app/load-more.tsx';

/** The blocks of a page that differ, with the words that were added and deleted. */
export function BlockChanges({ change }: { change: blockChanges_change$key }) {
  const { blocks } = useFragment(
    graphql`
      fragment blockChanges_change on PageEdited {
        blocks(first: 201) { key kind before after words { change text } }
      }
    `,
    change,
  );
  return (
    <>
      {blocks.slice(0, MAX_BLOCKS).map((block) => (
        <BlockChange key={`${block.key}-${block.kind}`} block={block} />
      ))}
      <OnlyFirst count={MAX_BLOCKS} noun="blocks" hasMore={blocks.length > MAX_BLOCKS} />
    </>
  );
}

/** Blocks that are shown. The fragment asks for one more, to know whether there are others. */
const MAX_BLOCKS = 200;

function BlockChange({ block }: { block: blockChanges_change$data['blocks'][number] }) {
  const { kind, before, after, words } = block;
  if (words) {
    return (
      <p className="block-change edited">
        {words.map(({ change, text }, index) => {
          const Mark = ({ ADDED: 'ins', DELETED: 'del' } as const)[change as 'ADDED'] ?? 'span';
          return <Mark key={index}>{text}</Mark>;
        })}
      </p>
    );
  }
  return (
    <div className={`block-change ${kind.toLowerCase()}`}>
      {kind === 'MOVED' && <p className="muted">{wordsOf(kind)}</p>}
      {kind !== 'MOVED' && before && (
        <pre>
          <del>{before}</del>
        </pre>
      )}
      {after && <pre>{kind === 'MOVED' ? after : <ins>{after}</ins>}</pre>}
    </div>
  );
}
