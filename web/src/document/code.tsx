import type { ThemedToken } from '@shikijs/core';
import { useEffect, useState } from 'react';
import { blocksIn, phrasingIn, textOf } from './nodes.ts';
import { type BlockProps, Line } from './render.tsx';
import { Scrollable } from './scrollable.tsx';

interface CodeData {
  syntax?: string;
  title?: string;
  overflow?: 'scroll' | 'wrap';
  lineNumbers?: boolean;
}

const COPIED_MS = 2_000;

/** Lines of code with their title and a button that copies them. */
export function Code({ block }: BlockProps) {
  const { syntax, title, overflow, lineNumbers } = block.data as CodeData;
  const lines = blocksIn(block);
  const colored = useHighlight(lines.map(textOf).join('\n'), syntax);
  const classes = ['code', ...(overflow === 'wrap' ? ['wrap'] : []), ...(lineNumbers ? ['numbered'] : [])].join(' ');
  return (
    <figure className={classes}>
      <figcaption>
        <span>{title ?? syntax ?? 'Code'}</span>
        <CopyButton text={() => lines.map(textOf).join('\n')} />
      </figcaption>
      <Scrollable label={title ?? 'Code'}>
        <pre>
          <code>
            {lines.map((line, index) => (
              <span
                key={line.key ?? index}
                className={line.data.highlighted === true ? 'code-line highlighted' : 'code-line'}
              >
                {colored?.[index]?.map(({ content, color }, at) => (
                  <span key={at} style={{ color }}>
                    {content}
                  </span>
                )) ?? <Line nodes={phrasingIn(line)} />}
                {'\n'}
              </span>
            ))}
          </code>
        </pre>
      </Scrollable>
    </figure>
  );
}

/** Longer code stays in one color: matching takes time. */
const MAX_LENGTH = 20_000;

function useHighlight(code: string, syntax = ''): ThemedToken[][] | undefined {
  const [colored, setColored] = useState<{ code: string; lines: ThemedToken[][] | undefined }>();
  useEffect(() => {
    if (syntax === '' || code.length > MAX_LENGTH) return;
    const load = async () => (await import('./highlight.ts')).highlight(code, syntax);
    void load().then(
      (lines) => setColored({ code, lines }),
      () => {},
    );
  }, [code, syntax]);
  return colored?.code === code ? colored.lines : undefined;
}

export function CopyButton({ text }: { text: () => string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <button type="button" className="small-button" onClick={() => void copy().catch(() => {})}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
