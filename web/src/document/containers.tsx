import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { type Block, blocksIn, fragmentNamed, idOf, phrasingIn, textOf } from './nodes.ts';
import { Anchors, type BlockProps, Blocks, Line } from './render.tsx';

export function Expandable({ block }: BlockProps) {
  const title = fragmentNamed(block, 'expandable-title');
  return (
    <details id={idOf(block)} open={block.data.defaultExpanded === true}>
      <summary>
        {title.map((line, index) => (
          <Line key={index} nodes={phrasingIn(line)} />
        ))}
      </summary>
      <Blocks blocks={fragmentNamed(block, 'expandable-body')} />
    </details>
  );
}

const titleOf = (tab: Block, index: number) => String(tab.data.title || index + 1);

/** Tabs (WAI-ARIA Authoring Practices, "Tabs with Automatic Activation"). */
export function Tabs({ block }: BlockProps) {
  const tabs = blocksIn(block);
  const id = useId();
  const [selected, setSelected] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -selected, End: tabs.length - 1 - selected }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (selected + step + tabs.length) % tabs.length;
    setSelected(next);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div className="tabs">
      <div role="tablist" ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab, index) => (
          <button
            type="button"
            role="tab"
            key={tab.key ?? index}
            id={`${id}-${index}`}
            aria-controls={`${id}-${index}-panel`}
            aria-selected={index === selected}
            tabIndex={index === selected ? 0 : -1}
            onClick={() => setSelected(index)}
          >
            {titleOf(tab, index)}
          </button>
        ))}
      </div>
      {tabs.map((tab, index) => (
        <div
          role="tabpanel"
          key={tab.key ?? index}
          id={`${id}-${index}-panel`}
          aria-labelledby={`${id}-${index}`}
          hidden={index !== selected}
        >
          <Anchors block={tab} />
          <Blocks blocks={blocksIn(tab)} />
        </div>
      ))}
    </div>
  );
}

export const Stepper = ({ block }: BlockProps) => (
  <ol className="stepper">
    {blocksIn(block).map((step, index) => (
      <li key={step.key ?? index}>
        <Anchors block={step} />
        <Blocks blocks={blocksIn(step)} />
      </li>
    ))}
  </ol>
);

export const Columns = ({ block }: BlockProps) => (
  <div className="columns">
    {blocksIn(block).map((column, index) => (
      <div key={column.key ?? index}>
        <Anchors block={column} />
        <Blocks blocks={blocksIn(column)} />
      </div>
    ))}
  </div>
);

const DATES: Record<string, Intl.DateTimeFormatOptions> = {
  full: { dateStyle: 'long' },
  short: { dateStyle: 'medium' },
  numeric: { dateStyle: 'short' },
};

/** A changelog. Dates are those of UTC, as they were written. */
export function Updates({ block }: BlockProps) {
  const format = new Intl.DateTimeFormat(undefined, { ...DATES[String(block.data.format)], timeZone: 'UTC' });
  return (
    <div className="updates">
      {blocksIn(block).map((update, index) => {
        const { date, tags = [] } = update.data as { date: string; tags?: { tag: string }[] };
        return (
          <section key={update.key ?? index}>
            <Anchors block={update} />
            <p className="muted">
              <time dateTime={date}>{format.format(new Date(date))}</time>
              {tags.map(({ tag }) => (
                <span key={tag} className="chip">
                  {tag}
                </span>
              ))}
            </p>
            <div>
              <Blocks blocks={blocksIn(update)} />
            </div>
          </section>
        );
      })}
    </div>
  );
}

/** Content under a condition that could not be evaluated. */
export const If = ({ block }: BlockProps) => (
  <details className="condition">
    <summary>
      If <code>{String(block.data.expression)}</code>
    </summary>
    <Blocks blocks={blocksIn(block)} />
    {textOf(block) === '' && <p className="muted">Empty</p>}
  </details>
);
