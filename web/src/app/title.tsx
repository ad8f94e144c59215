import { type ReactNode, useEffect, useRef } from 'react';
import { useRouter } from './router.tsx';

/** The heading of a view. It names the document, and gets the focus when the view was opened by a link. */
export function Title({ text, children }: { text: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { path } = useRouter().location;
  useEffect(() => {
    document.title = `${text} · Stemma`;
  }, [text]);
  useEffect(() => {
    if (isFirstView) isFirstView = false;
    else if (window.location.hash === '') heading.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <h1 ref={heading} tabIndex={-1} className="title">
      {children ?? text}
    </h1>
  );
}

/** Browsers start at the top of the document that they open. */
let isFirstView = true;
