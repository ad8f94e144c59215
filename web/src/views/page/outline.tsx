import { useEffect, useState } from 'react';
import type { Heading } from '../../document/nodes.ts';

/** How far below the top of the window a section begins to be the current one, in pixels. */
const READING_LINE = 140;

/** The headings of a page. The section that is being read is highlighted. */
export function Outline({ headings }: { headings: readonly Heading[] }) {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    let frame = 0;
    const update = () => {
      frame = 0;
      let currentId: string | undefined;
      for (const { id } of headings) {
        const element = document.getElementById(id);
        if (element && element.getBoundingClientRect().top <= READING_LINE) currentId = id;
      }
      setCurrent(currentId ?? headings[0]?.id);
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(update);
    };
    update();
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      window.removeEventListener('scroll', onScroll);
      cancelAnimationFrame(frame);
    };
  }, [headings]);
  return (
    <nav className="outline" aria-label="On this page">
      <h2>On this page</h2>
      <ul>
        {headings.map(({ id, level, text }) => (
          <li key={id} className={`level-${level}`}>
            <a href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
